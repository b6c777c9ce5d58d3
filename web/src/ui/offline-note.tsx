import { CloudOff } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import type { Reading } from '#lib/offline-copy.ts'
import { timeSince } from '#lib/time-since.ts'
import { useNow } from '#lib/use-now.ts'

/** Says how old a copy is; nothing at all for what came from the server just now. */
export function OfflineNote({ reading }: { reading: Reading<unknown> }) {
  const now = useNow()
  if (!reading.isCopy) return null
  return (
    <p
      role="status"
      className="flex items-center gap-2.5 rounded-card bg-tint px-4 py-3 text-small"
    >
      <CloudOff aria-hidden="true" className="size-5 flex-none text-muted" />
      {m.ui_offline_copy({ age: timeSince(reading.readAt, now) })}
    </p>
  )
}
