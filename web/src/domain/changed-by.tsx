import { queryOptions, useQuery } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import { timeSince } from '#lib/i18n/time-since.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import { memberName } from './member-name.ts'

/** "Changed by Dana yesterday"; without a name if a server did it. */
export function useChangedBy(at: string | null | undefined, name: string | undefined): string {
  const now = useNow()
  if (!at) return ''
  const when = timeSince(Date.parse(at), now)
  return name ? m.admin_changed_by({ name, when }) : m.admin_changed({ when })
}

/** Who last changed each of the team's settings, by setting. */
export const settingChangesQuery = () =>
  queryOptions({
    queryKey: ['team_settings', 'changes'],
    queryFn: async ({ signal }) => {
      const changes = await callFunction('setting_changes', {}, signal)
      return new Map(changes.map((change) => [change.setting, change]))
    },
  })

/** For admins: who last changed a column of the team's settings (product.md P158). */
export function SettingChange({ setting }: { setting: string }) {
  const { data } = useQuery(settingChangesQuery())
  const change = data?.get(setting)
  const text = useChangedBy(change?.changed_at, change?.changed_by ? memberName(change) : undefined)
  return text && <p className="text-note text-muted">{text}</p>
}
