import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { memberName } from '#domain/member-name.ts'
import { openPerson, useOpenPerson } from '#domain/open-person.ts'
import { formatChatTimestamp } from '#features/chat/model/chat-timestamp.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import { Avatar } from '#ui/avatar.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { TextButton } from '#ui/text-button.tsx'

const PAGE_SIZE = 50

type SeenByProps = {
  messageId: string
  /** Somebody else is the only reader there can be. */
  isOfTwo: boolean
}

/**
 * How many participants have seen the member's last message; pressing it lists them with the time. Empty while
 * the team has it off.
 */
export function SeenBy({ messageId, isOfTwo }: SeenByProps) {
  const [isOpen, setIsOpen] = useState(false)
  const stepsAside = useOpenPerson() !== null
  // Fails silently: the message itself has arrived.
  const { data: latest = [] } = useQuery({
    queryKey: ['chat_participants', 'seen', messageId],
    queryFn: () => callFunction('message_seen_by', { message_id: messageId, max_results: 1 }),
    // The admin's switch.
    meta: { alsoReads: ['team_settings'] },
  })
  const total = latest[0]?.total ?? 0
  if (total === 0) return null
  return (
    <div className="text-right text-caption">
      <TextButton tone="muted" onClick={() => setIsOpen(true)}>
        {isOfTwo ? m.chat_seen() : m.chat_seen_by_count({ count: formatCount(total) })}
      </TextButton>
      <Modal
        open={isOpen && !stepsAside}
        onClose={() => setIsOpen(false)}
        title={m.chat_seen_title()}
      >
        <Readers messageId={messageId} total={total} />
      </Modal>
    </div>
  )
}

type ReadersProps = {
  messageId: string
  /** How many there are. */
  total: number
}

function Readers({ messageId, total }: ReadersProps) {
  const query = useInfiniteQuery({
    queryKey: ['chat_participants', 'seen', messageId, 'list'],
    queryFn: ({ pageParam }) =>
      callFunction('message_seen_by', {
        message_id: messageId,
        max_results: PAGE_SIZE,
        skip: pageParam,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE,
  })
  if (query.error) {
    return <LoadError error={query.error} onRetry={() => void query.refetch()} />
  }
  if (query.isPending) return <SkeletonRows count={total} />
  const loaded = query.data.pages.flat()
  // Who reads on meanwhile moves to the top, and others from one page to the next.
  const readers = [...new Map(loaded.map((reader) => [reader.id, reader])).values()]
  return (
    <>
      <ul className="grid grid-cols-1 gap-1">
        {readers.map((reader) => (
          <Row key={reader.id} reader={reader} />
        ))}
      </ul>
      <ShowMorePages query={query} shown={readers.length} total={loaded[0]?.total ?? 0} />
    </>
  )
}

function Row({ reader }: { reader: ResultRow<'message_seen_by'> }) {
  const now = useNow()
  const name = memberName({ ...reader, email: '' })
  return (
    <li className="flex items-center gap-3">
      <Pressable
        onClick={() => openPerson({ id: reader.id, name })}
        className="flex min-h-12 min-w-0 flex-1 items-center gap-3 rounded-field text-left hover:bg-tint"
      >
        <Avatar name={name} seed={reader.id} size="sm" />
        <span className="min-w-0 truncate font-medium">{name}</span>
      </Pressable>
      <time dateTime={reader.seen_at} className="text-note text-muted">
        {formatChatTimestamp(reader.seen_at, now, formatLocale())}
      </time>
    </li>
  )
}
