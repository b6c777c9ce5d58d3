import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { database } from '#data/supabase.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Switch } from '#ui/switch.tsx'
import { SettingChange } from './changed-by.tsx'
import { updateTeamSettings } from './team-settings.ts'

/** Settings of the team that are on or off: columns of team_settings. */
type TeamSetting = 'seen_by_enabled' | 'app_errors_enabled' | 'admins_need_second_factor'

/** Whether a setting of the team is on. */
export const teamSwitchQuery = (setting: TeamSetting) =>
  queryOptions({
    queryKey: ['team_settings', setting],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('team_settings')
        .select(setting)
        .abortSignal(signal)
        .single()
        .throwOnError()
      return (data as Record<TeamSetting, boolean>)[setting]
    },
  })

async function setTeamSwitch(setting: TeamSetting, isOn: boolean): Promise<void> {
  await updateTeamSettings({ [setting]: isOn })
}

type TeamSwitchProps = {
  setting: TeamSetting
  isOn: boolean
  label: string
  hint: string
  /** Keys of queries that are read again after a change, besides the team's settings. */
  alsoRefreshes?: readonly (readonly string[])[]
}

/** An admin's switch for a setting of the team; it shows what was just chosen while that is being stored. */
export function TeamSwitch({ setting, isOn, label, hint, alsoRefreshes = [] }: TeamSwitchProps) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (isOn: boolean) => setTeamSwitch(setting, isOn),
    // The last of two quick choices must be stored last.
    scope: { id: setting },
    onError: (failure) => showError(m.admin_settings_failed(), failure),
    onSettled: () =>
      Promise.all(
        [['team_settings'], ...alsoRefreshes].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  })
  return (
    <div className="grid grid-cols-1 gap-1">
      <Switch
        label={label}
        checked={change.isPending ? change.variables : isOn}
        onChange={(event) => change.mutate(event.target.checked)}
      />
      <p className="text-small text-muted">{hint}</p>
      <SettingChange setting={setting} />
    </div>
  )
}
