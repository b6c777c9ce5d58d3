import { useInfiniteQuery } from '@tanstack/react-query'
import { Bookmark, BookmarkX } from 'lucide-react'
import { Link } from 'react-router'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { useUserId } from '#data/session/session.ts'
import { useBlockedIds } from '#domain/blocked-people.ts'
import { formatChatTimestamp } from '#features/chat/model/chat-timestamp.ts'
import { useSaved } from '#features/chat/model/saved-messages.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'

const PAGE_SIZE = 30

/** The messages the member saved, the latest first; each opens its thread at the message. */
export function SavedSheet({ onClose }: { onClose: () => void }) {
  const query = useInfiniteQuery({
    queryKey: ['saved_messages', 'list'],
    queryFn: ({ pageParam }) =>
      callFunction('my_saved_messages', { max_results: PAGE_SIZE, before: pageParam }),
    initialPageParam: 'infinity',
    getNextPageParam: (last) => (last.length < PAGE_SIZE ? undefined : last.at(-1)?.saved_at),
    // A text may have been edited since.
    staleTime: 0,
  })
  const saved = query.data?.pages.flat()
  return (
    <Modal open onClose={onClose} title={m.chat_saved()}>
      {query.isPending && <SkeletonRows />}
      {query.error && !saved && (
        <LoadError error={query.error} onRetry={() => void query.refetch()} />
      )}
      {saved?.length === 0 && (
        <EmptyState
          picture={<Bookmark />}
          title={m.chat_saved_none()}
          text={m.chat_saved_none_hint()}
        />
      )}
      <ul className="grid grid-cols-1">
        {saved?.map((each) => (
          <Row key={each.message_id} saved={each} onOpen={onClose} />
        ))}
      </ul>
      <ShowMorePages query={query} isEndless />
    </Modal>
  )
}

type Saved = ResultRow<'my_saved_messages'>

function Row({ saved, onOpen }: { saved: Saved; onOpen: () => void }) {
  const now = useNow()
  const { change } = useSaved({ id: saved.message_id, chat_id: saved.chat_id }, false)
  const isFolded = useBlockedIds().includes(saved.sender_id)
  const name = saved.sender_id === useUserId() ? m.chat_you() : saved.sender_name
  return (
    <li className="flex items-center gap-1 border-b border-line last:border-0">
      <Link
        to={`/chat/${saved.chat_id}?message=${saved.message_id}`}
        onClick={onOpen}
        className="my-0.5 block min-w-0 flex-1 rounded-field px-2 py-2.5 hover:bg-tint/60 active:bg-tint"
      >
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-semibold">{saved.chat_title}</span>
          <time dateTime={saved.sent_at} className="text-note text-muted tabular-nums">
            {formatChatTimestamp(saved.sent_at, now, formatLocale())}
          </time>
        </span>
        <span className="line-clamp-3 text-small wrap-anywhere text-muted">
          <span className="font-semibold">{m.chat_last_message_of({ name })}</span>{' '}
          {isFolded ? m.safety_folded() : saved.message || m.chat_message_is_image()}
        </span>
      </Link>
      <IconButton
        label={m.chat_unsave_of({ name })}
        icon={<BookmarkX />}
        variant="quiet"
        onClick={() => change(false)}
      />
    </li>
  )
}
