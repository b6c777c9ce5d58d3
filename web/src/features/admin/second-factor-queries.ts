import { queryOptions } from '@tanstack/react-query'
import { database } from '#lib/supabase/supabase.ts'

/** Whether admins need two-step verification. */
export const secondFactorRuleQuery = () =>
  queryOptions({
    queryKey: ['team_settings', 'second factor'],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('team_settings')
        .select('admins_need_second_factor')
        .abortSignal(signal)
        .single()
        .throwOnError()
      return data.admins_need_second_factor
    },
  })

export async function setSecondFactorRule(isOn: boolean): Promise<void> {
  await database
    .from('team_settings')
    .update({ admins_need_second_factor: isOn })
    .eq('id', true)
    .throwOnError()
}
