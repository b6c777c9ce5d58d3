import { SettingChange } from '#domain/changed-by.tsx'
import { useTeamSwitch } from '#domain/team-switch.ts'
import { m } from '#lib/messages/messages.js'
import { Switch } from '#ui/switch.tsx'

/** An admin's switch: whether anyone on the team sees who has read a message. */
export function SeenBySetting() {
  const { isOn, set } = useTeamSwitch('seen_by_enabled', {
    failed: m.chat_error_changing,
    alsoRefreshes: [['chat_participants', 'seen']],
  })
  if (isOn === undefined) return null
  return (
    <div>
      <Switch
        label={m.chat_seen_by_setting()}
        checked={isOn}
        onChange={(event) => set(event.target.checked)}
      />
      <p className="text-note text-muted">{m.chat_seen_by_setting_hint()}</p>
      <SettingChange setting="seen_by_enabled" />
    </div>
  )
}
