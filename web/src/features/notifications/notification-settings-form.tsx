import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { invalidateWhenIdle } from '#data/live/read-again.ts'
import { useUserId } from '#data/session/session.ts'
import { viewerZone } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Card } from '#ui/card.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { Switch } from '#ui/switch.tsx'
import { TextField } from '#ui/text-field.tsx'
import {
  notificationSettingsQuery,
  saveNotificationSettings,
  type NotificationSettings,
} from './notification-queries.ts'

const DEFAULT_QUIET = { quiet_from: '21:00', quiet_to: '07:00' }

/** What is pushed, and when not; the screen says if it cannot be loaded. Each change is saved at once. */
export function NotificationSettingsForm() {
  const userId = useUserId()
  const queryClient = useQueryClient()
  const query = notificationSettingsQuery(userId)
  const { data } = useQuery(query)
  const change = useMutation({
    mutationKey: ['notification_settings'],
    // The last of two quick changes must be stored last.
    scope: { id: 'notification_settings' },
    mutationFn: (part: Partial<NotificationSettings>) => saveNotificationSettings(userId, part),
    onMutate: async (part) => {
      await queryClient.cancelQueries(query)
      // Not what is drawn, which may lack a change of a moment ago.
      queryClient.setQueryData(query.queryKey, (settings) => settings && { ...settings, ...part })
    },
    onError: (failure) => showError(m.notifications_error_saving(), failure),
    onSettled: () => invalidateWhenIdle(queryClient, ['notification_settings']),
  })
  if (!data) return <SkeletonCards className="h-56" />
  const set = (part: Partial<NotificationSettings>) => change.mutate(part)
  return (
    <>
      <Card className="grid grid-cols-1 gap-1">
        <h2 className="font-semibold">{m.notifications_what()}</h2>
        <Switch
          label={m.notifications_messages()}
          checked={data.messages}
          onChange={(event) => set({ messages: event.target.checked })}
        />
        <Switch
          label={m.notifications_mentions()}
          checked={data.mentions}
          onChange={(event) => set({ mentions: event.target.checked })}
        />
        <Switch
          label={m.notifications_notices()}
          checked={data.notices}
          onChange={(event) => set({ notices: event.target.checked })}
        />
        <p className="text-note text-muted">{m.notifications_mute_hint()}</p>
      </Card>
      <QuietHours settings={data} set={set} />
    </>
  )
}

type QuietHoursProps = {
  settings: NotificationSettings
  set: (part: Partial<NotificationSettings>) => void
}

function QuietHours({ settings, set }: QuietHoursProps) {
  const { quiet_from, quiet_to, mentions_pass_quiet } = settings
  const isOn = quiet_from !== null
  // Quiet hours are in the time zone the member was in when choosing them.
  const zone = viewerZone()
  return (
    <Card className="grid grid-cols-1 gap-1">
      <h2 className="font-semibold">{m.notifications_quiet_hours()}</h2>
      <Switch
        label={m.notifications_quiet_on()}
        checked={isOn}
        onChange={(event) =>
          set(
            event.target.checked
              ? { ...DEFAULT_QUIET, time_zone: zone }
              : { quiet_from: null, quiet_to: null },
          )
        }
      />
      {isOn && (
        <>
          <div className="grid grid-cols-2 gap-3">
            <TextField
              label={m.notifications_quiet_from()}
              type="time"
              value={quiet_from.slice(0, 5)}
              onChange={({ target }) => target.value && set({ quiet_from: target.value })}
            />
            <TextField
              label={m.notifications_quiet_to()}
              type="time"
              value={quiet_to?.slice(0, 5) ?? ''}
              onChange={({ target }) => target.value && set({ quiet_to: target.value })}
            />
          </div>
          <Switch
            label={m.notifications_mentions_pass()}
            checked={mentions_pass_quiet}
            onChange={(event) => set({ mentions_pass_quiet: event.target.checked })}
          />
          <p className="text-note text-muted">
            {m.notifications_quiet_zone({ zone: settings.time_zone ?? zone })}
          </p>
        </>
      )}
    </Card>
  )
}
