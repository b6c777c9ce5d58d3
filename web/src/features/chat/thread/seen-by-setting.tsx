import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { SettingChange } from '#domain/changed-by.tsx'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/supabase/notify-error.ts'
import { database } from '#lib/supabase/supabase.ts'
import { Switch } from '#ui/switch.tsx'

/** An admin's switch: whether anyone on the team sees who has read a message. */
export function SeenBySetting() {
  const client = useQueryClient()
  const { data: isOn } = useQuery({ queryKey: ['team_settings', 'seen-by'], queryFn: loadSetting })
  const change = useMutation({
    mutationFn: saveSetting,
    // The last of two quick choices must be stored last.
    scope: { id: 'seen-by' },
    onError: (error) => showError(m.chat_error_changing(), error),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['team_settings'] }),
        client.invalidateQueries({ queryKey: ['chat_participants', 'seen'] }),
      ]),
  })
  if (isOn === undefined) return null
  return (
    <div>
      <Switch
        label={m.chat_seen_by_setting()}
        checked={change.isPending ? change.variables : isOn}
        onChange={(event) => change.mutate(event.target.checked)}
      />
      <p className="text-note text-muted">{m.chat_seen_by_setting_hint()}</p>
      <SettingChange setting="seen_by_enabled" />
    </div>
  )
}

async function loadSetting(): Promise<boolean> {
  const { data, error } = await database.from('team_settings').select('seen_by_enabled').single()
  if (error) throw error
  return data.seen_by_enabled
}

async function saveSetting(isOn: boolean): Promise<void> {
  const { error } = await database
    .from('team_settings')
    .update({ seen_by_enabled: isOn })
    .eq('id', true)
  if (error) throw error
}
