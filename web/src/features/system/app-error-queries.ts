import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#lib/supabase/call-function.ts'
import { database } from '#lib/supabase/supabase.ts'

/** For admins: uncaught errors of the app on members' devices, the latest first. */
export const appErrorsQuery = () =>
  queryOptions({
    queryKey: ['app_error_list'],
    queryFn: ({ signal }) => callFunction('app_error_list', {}, signal),
  })

/** Whether devices report them. */
export const appErrorSettingQuery = () =>
  queryOptions({
    queryKey: ['team_settings', 'app errors'],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('team_settings')
        .select('app_errors_enabled')
        .abortSignal(signal)
        .single()
        .throwOnError()
      return data.app_errors_enabled
    },
  })

export async function setAppErrors(isOn: boolean): Promise<void> {
  await database
    .from('team_settings')
    .update({ app_errors_enabled: isOn })
    .eq('id', true)
    .throwOnError()
}
