import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { formatChatTimestamp } from '#features/chat/model/chat-timestamp.ts'
import { searchWords, SimilarOnly } from '#features/chat/parts/message-search.tsx'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { useNow } from '#lib/use-now.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { HighlightedText } from '#ui/highlighted-text.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'

const SHORTEST_SEARCH = 2

type SearchInChatProps = {
  chatId: string
  onJump: (messageId: string) => void
  onClose: () => void
}

/** Messages of one chat, searched on the server in its whole history. */
export function SearchInChat({ chatId, onJump, onClose }: SearchInChatProps) {
  const [search, setSearch] = useState('')
  const wanted = useDebouncedValue(search.trim(), 250)
  const isSearching = wanted.length >= SHORTEST_SEARCH
  const { data, error, refetch } = useQuery({
    queryKey: ['chat_messages', 'search', wanted, chatId],
    queryFn: () => callFunction('search_messages', { query: wanted, in_chat: chatId }),
    enabled: isSearching,
    placeholderData: keepPreviousData,
  })
  return (
    <Modal open onClose={onClose} title={m.chat_search_here()}>
      <div className="flex h-[60dvh] flex-col gap-2">
        <SearchField
          label={m.chat_search_messages_placeholder()}
          value={search}
          onChange={setSearch}
        />
        <div aria-live="polite" className="min-h-0 flex-1 overflow-y-auto">
          {!isSearching && <p className="text-muted">{m.chat_search_messages_hint()}</p>}
          {isSearching && error && <LoadError error={error} onRetry={() => void refetch()} />}
          {isSearching && !error && !data && <SkeletonRows />}
          {isSearching && data?.length === 0 && (
            <EmptyState
              picture={<SearchX />}
              title={m.chat_search_no_messages()}
              text={m.chat_search_no_messages_hint()}
            />
          )}
          {isSearching && data?.[0]?.is_near && <SimilarOnly />}
          {isSearching && (
            <ul className="grid grid-cols-1 gap-1">
              {data?.map((found) => (
                <Found
                  key={found.message_id}
                  found={found}
                  search={wanted}
                  onPress={() => onJump(found.message_id)}
                />
              ))}
            </ul>
          )}
        </div>
      </div>
    </Modal>
  )
}

type FoundProps = { found: ResultRow<'search_messages'>; search: string; onPress: () => void }

function Found({ found, search, onPress }: FoundProps) {
  const now = useNow()
  return (
    <li>
      <Pressable
        onClick={onPress}
        className="w-full rounded-field px-2 py-2.5 text-left hover:bg-tint"
      >
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-semibold">{found.sender_name}</span>
          <time dateTime={found.sent_at} className="text-note text-muted tabular-nums">
            {formatChatTimestamp(found.sent_at, now, formatLocale())}
          </time>
        </span>
        <span className="line-clamp-3 text-small wrap-anywhere text-muted">
          <HighlightedText text={found.snippet} words={searchWords(search)} />
        </span>
      </Pressable>
    </li>
  )
}
