import { useQuery } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { Card } from '#ui/card.tsx'
import { Chip } from '#ui/chip.tsx'
import { channelHealthQuery, type ChannelHealth } from './notice-queries.ts'

const NAMES: Record<ChannelHealth['channel'], () => string> = {
  web: m.notifications_channel_web,
  fcm: m.notifications_channel_fcm,
  apns: m.notifications_channel_apns,
}

/** This installation's push channels, and their results over the last day. */
export function ChannelHealthPanel() {
  const { data, error } = useQuery(channelHealthQuery())
  return (
    <Card className="grid grid-cols-1 gap-3">
      <h2 className="font-semibold">{m.notifications_channels()}</h2>
      {error && <p role="alert">{m.notifications_error_loading()}</p>}
      <ul className="grid grid-cols-1 gap-3">
        {data?.map((channel) => (
          <li key={channel.channel} className="grid gap-1">
            <div className="flex flex-wrap items-center gap-2">
              <span className="flex-1">{NAMES[channel.channel]()}</span>
              <Chip tone={channel.is_on ? 'primary' : 'danger'}>
                {channel.is_on ? m.notifications_channel_on() : m.notifications_channel_off()}
              </Chip>
            </div>
            <p className="text-note break-words text-muted">
              {channel.is_on ? figuresOf(channel) : setupProblem(channel)}
            </p>
            {channel.last_error && (
              <p className="text-note break-words text-danger-text">{channel.last_error}</p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** `detail` names environment variables, which mean nothing to a leader; docs/push.md explains them. */
function setupProblem({ detail }: ChannelHealth) {
  return /not set\b/.test(detail)
    ? m.notifications_channel_missing()
    : m.notifications_channel_invalid()
}

function figuresOf({ devices, sent, failed, waiting, passed_quiet_hours }: ChannelHealth) {
  return m.notifications_channel_figures({
    devices,
    sent,
    failed,
    waiting,
    passed: passed_quiet_hours,
  })
}
