import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import { m } from '#lib/messages/messages.js'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { RowButton } from '#ui/row-button.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { LookSheet } from './look-sheet.tsx'

const SETTLE_MS = 250
const MOST_FOUND = 50

/** Finds a chat by its name or by who is in it, to look at with a reason. */
export function ChatSearch() {
  const [typed, setTyped] = useState('')
  const query = useDebouncedValue(typed.trim(), SETTLE_MS)
  const [chosen, setChosen] = useState<{ id: string; title: string } | null>(null)
  const found = useQuery({
    queryKey: ['chats', 'supervised', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callFunction('find_chats', { query, max_results: MOST_FOUND }, signal),
  })
  return (
    <>
      <p className="max-w-prose text-muted">{m.supervision_chats_text()}</p>
      <SearchField label={m.supervision_chats_search()} value={typed} onChange={setTyped} />
      {found.isPending && <SkeletonRows />}
      {found.error && !found.data && (
        <LoadError
          error={found.error}
          describe={(message) => m.supervision_error({ message })}
          onRetry={() => void found.refetch()}
        />
      )}
      {found.data?.length === 0 && (
        <EmptyState picture={<MessagesSquare />} title={m.supervision_chats_none()} />
      )}
      {found.data && found.data.length > 0 && (
        <div className="overflow-hidden rounded-card border border-line bg-card shadow-card">
          {found.data.map(({ id, title, members }) => (
            <RowButton
              key={id}
              icon={<MessagesSquare />}
              label={title}
              detail={
                <span className="text-note text-muted">
                  {m.supervision_chat_members({ count: members })}
                </span>
              }
              onClick={() => setChosen({ id, title })}
            />
          ))}
        </div>
      )}
      {found.data && found.data.length >= MOST_FOUND && (
        <p className="text-note text-muted">{m.ui_picker_more()}</p>
      )}
      {chosen && <LookSheet chat={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}
