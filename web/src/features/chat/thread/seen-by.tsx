import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callFunction } from '#lib/call-function.ts'
import { formatChatTimestamp } from '#features/chat/chat-timestamp.ts'
import { memberName } from '#lib/member-name.ts'
import { useNow } from '#lib/use-now.ts'
import { formatLocale } from '#lib/format-locale.ts'
import { formatCount } from '#lib/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { Modal } from '#ui/modal.tsx'
import { TextButton } from '#ui/text-button.tsx'

type Reader = { id: string; first_name: string; last_name: string; seen_at: string; total: number }

/** How many have seen the own last message; pressing it says who. Nothing while the team has it off. */
export function SeenBy({ messageId }: { messageId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  // Silent when it fails: it is an extra below a message that arrived.
  const { data: readers = [] } = useQuery({
    queryKey: ['chat_participants', 'seen', messageId],
    queryFn: () => callFunction<Reader[]>('message_seen_by', { message_id: messageId }),
    // The admin's switch.
    meta: { alsoReads: ['team_settings'] },
  })
  const total = readers[0]?.total ?? 0
  if (total === 0) return null
  return (
    <div className="text-right text-caption">
      <TextButton tone="muted" onClick={() => setIsOpen(true)}>
        {m.chat_seen_by_count({ count: formatCount(total) })}
      </TextButton>
      <Modal open={isOpen} onClose={() => setIsOpen(false)} title={m.chat_seen_title()}>
        <ul className="grid gap-3">
          {readers.map((reader) => (
            <Row key={reader.id} reader={reader} />
          ))}
          {total > readers.length && (
            <li className="text-muted">
              {m.chat_seen_more({ count: formatCount(total - readers.length) })}
            </li>
          )}
        </ul>
      </Modal>
    </div>
  )
}

function Row({ reader }: { reader: Reader }) {
  const now = useNow()
  const name = memberName({ ...reader, email: '' })
  return (
    <li className="flex items-center gap-3">
      <Avatar name={name} seed={reader.id} size="sm" />
      <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
      <time dateTime={reader.seen_at} className="text-note text-muted">
        {formatChatTimestamp(reader.seen_at, now, formatLocale())}
      </time>
    </li>
  )
}
