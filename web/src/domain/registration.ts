import { queryOptions } from '@tanstack/react-query'
import { database } from '#data/supabase.ts'

/** `open`: whoever confirms an address. `approval`: whom an admin lets in. `invitation`: with a link or by mail. */
export type Registration = 'open' | 'approval' | 'invitation'

export type RegistrationRules = {
  registration: Registration
  /** Lower case; empty: all. */
  email_domains: string[]
}

/** Who may come onto the team. */
export const registrationQuery = () =>
  queryOptions({
    queryKey: ['team_settings', 'registration'],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('team_settings')
        .select('registration, email_domains')
        .abortSignal(signal)
        .single()
        .throwOnError()
      return data as RegistrationRules
    },
  })
