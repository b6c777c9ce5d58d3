import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { showError } from '#lib/supabase/notify-error.ts'
import { database } from '#lib/supabase/supabase.ts'

/** Settings of the team that are on or off: columns of team_settings. */
type TeamSwitch = 'seen_by_enabled' | 'app_errors_enabled' | 'admins_need_second_factor'

/** Whether a setting of the team is on. */
export const teamSwitchQuery = (setting: TeamSwitch) =>
  queryOptions({
    queryKey: ['team_settings', setting],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('team_settings')
        .select(setting)
        .abortSignal(signal)
        .single()
        .throwOnError()
      return (data as Record<TeamSwitch, boolean>)[setting]
    },
  })

async function setTeamSwitch(setting: TeamSwitch, isOn: boolean): Promise<void> {
  const change: Partial<Record<TeamSwitch, boolean>> = { [setting]: isOn }
  await database.from('team_settings').update(change).eq('id', true).throwOnError()
}

type TeamSwitchOptions = {
  /** The alert's text when it could not be changed. */
  failed: () => string
  /** Keys of queries that are read again after a change, besides the team's settings. */
  alsoRefreshes?: readonly (readonly string[])[]
}

/** For an admin's switch: `isOn` is what was just chosen while it is being stored, and undefined until it is known. */
export function useTeamSwitch(
  setting: TeamSwitch,
  { failed, alsoRefreshes = [] }: TeamSwitchOptions,
) {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(teamSwitchQuery(setting))
  const change = useMutation({
    mutationFn: (isOn: boolean) => setTeamSwitch(setting, isOn),
    // The last of two quick choices must be stored last.
    scope: { id: setting },
    onError: (failure) => showError(failed(), failure),
    onSettled: () =>
      Promise.all(
        [['team_settings'], ...alsoRefreshes].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  })
  return {
    isOn: change.isPending && data !== undefined ? change.variables : data,
    error,
    refetch,
    set: change.mutate,
  }
}
