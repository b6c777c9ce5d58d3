import { CloudOff } from 'lucide-react'
import { timeSince } from '#lib/i18n/time-since.ts'
import { m } from '#lib/messages/messages.js'
import { useReach } from '#lib/server/server-reach.ts'
import { useNow } from '#lib/use-now.ts'

type Props = {
  /** When the shown data was read, in milliseconds since 1970; undefined if it is no copy. */
  copiedAt: number | undefined
}

/** The age of an offline copy; renders nothing for fresh data. */
export function OfflineNote({ copiedAt }: Props) {
  const now = useNow()
  const reach = useReach()
  if (copiedAt === undefined) return null
  const age = timeSince(copiedAt, now)
  return (
    <p
      role="status"
      className="flex items-center gap-2.5 rounded-card bg-tint px-4 py-3 text-small"
    >
      <CloudOff aria-hidden="true" className="size-5 flex-none text-muted" />
      {reach === 'offline' ? m.ui_offline_copy({ age }) : m.ui_no_answer_copy({ age })}
    </p>
  )
}
