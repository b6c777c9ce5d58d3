import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SearchX, TextSearch } from 'lucide-react'
import { Link } from 'react-router'
import { callFunction } from '#data/call-function.ts'
import { formatChatTimestamp } from '#features/chat/model/chat-timestamp.ts'
import { searchWords, SimilarOnly } from '#features/chat/parts/message-search.tsx'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { useNow } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { HighlightedText } from '#ui/highlighted-text.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'

/** Matching messages from the whole history, searched on the server; each opens its thread at the message. */
export function MessageResults({ search, onClear }: { search: string; onClear: () => void }) {
  const now = useNow()
  const wanted = useDebouncedValue(search.trim(), 250)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['chat_messages', 'search', wanted],
    queryFn: () => callFunction('search_messages', { query: wanted }),
    enabled: wanted.length >= 2,
    placeholderData: keepPreviousData,
  })

  if (wanted.length < 2) {
    return (
      <EmptyState
        picture={<TextSearch />}
        title={m.chat_search_messages_placeholder()}
        text={m.chat_search_messages_hint()}
      />
    )
  }
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (isPending) {
    return (
      <div className="px-5">
        <SkeletonRows />
      </div>
    )
  }
  if (data.length === 0) {
    return (
      <EmptyState
        picture={<SearchX />}
        title={m.chat_search_no_messages()}
        text={m.chat_search_no_messages_hint()}
        action={
          <Button variant="tint" onClick={onClear}>
            {m.chat_search_clear()}
          </Button>
        }
      />
    )
  }
  return (
    <>
      {data[0]?.is_near && <SimilarOnly className="px-5" />}
      <ul className="px-3 pb-6">
        {data.map((found) => (
          <li key={found.message_id} className="border-b border-line last:border-0">
            <Link
              to={`/chat/${found.chat_id}?message=${found.message_id}`}
              className="my-0.5 block rounded-field px-2 py-2.5 hover:bg-tint/60 active:bg-tint"
            >
              <span className="flex items-baseline gap-2">
                <span className="min-w-0 flex-1 truncate font-semibold">{found.chat_title}</span>
                <time dateTime={found.sent_at} className="text-note text-muted tabular-nums">
                  {formatChatTimestamp(found.sent_at, now, formatLocale())}
                </time>
              </span>
              <span className="line-clamp-2 text-small text-muted">
                <span className="font-semibold">
                  {m.chat_last_message_of({ name: found.sender_name })}
                </span>{' '}
                <HighlightedText text={found.snippet} words={searchWords(wanted)} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
