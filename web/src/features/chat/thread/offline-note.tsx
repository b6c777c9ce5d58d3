import { CloudOff } from 'lucide-react'
import { useIsOnline } from '#features/chat/use-is-online.ts'
import { m } from '#lib/messages/messages.js'
import { timeSince } from '#lib/time-since.ts'
import { useNow } from '#lib/use-now.ts'

/** Says that writing still works without a connection, and how old what can be read is. */
export function OfflineNote({ copiedAt }: { copiedAt?: number | undefined }) {
  const now = useNow()
  const isOnline = useIsOnline()
  if (isOnline && !copiedAt) return null
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-2 bg-tint px-4 py-2 text-center text-small text-ink"
    >
      <CloudOff aria-hidden="true" className="size-4 flex-none" />
      <span>
        {copiedAt && `${m.chat_offline_copy({ age: timeSince(copiedAt, now) })} `}
        {!isOnline && m.chat_offline()}
      </span>
    </p>
  )
}
