import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ClipboardCheck } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '#lib/i18n/format-count.ts'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { Chip } from '#ui/chip.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { RowList } from '#ui/row-list.tsx'
import { SegmentedControl } from '#ui/segmented-control.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { ItemSheet } from './item-sheet.tsx'
import {
  QUEUE_STATES,
  queueQuery,
  reviewCountsQuery,
  SOURCES,
  type QueuedItem,
  type QueueState,
} from './supervision-queries.ts'
import { outcomeName, sourceName, whyQueued } from './supervision-words.ts'

const STATES: Record<QueueState, () => string> = {
  open: m.supervision_open,
  mine: m.supervision_mine,
  closed: m.supervision_closed,
}

const NONE: Record<QueueState, { title: () => string; text: () => string }> = {
  open: { title: m.supervision_none, text: m.supervision_none_text },
  mine: { title: m.supervision_none_mine, text: m.supervision_none_mine_text },
  closed: { title: m.supervision_none_closed, text: m.supervision_none_closed_text },
}

/** What waits for a supervisor, reports first, and what was closed. */
export function Queue() {
  const [state, setState] = useState<QueueState>('open')
  const [source, setSource] = useState('')
  const [opened, setOpened] = useState<string | null>(null)
  const query = useInfiniteQuery(queueQuery(state, source))
  const { data: counts } = useQuery(reviewCountsQuery())
  const items = query.data?.pages.flat()
  return (
    <>
      <div className="grid gap-3 lg:grid-cols-2 lg:items-end">
        <SegmentedControl
          label={m.supervision_state()}
          options={QUEUE_STATES.map((value) => ({ value, label: STATES[value]() }))}
          value={state}
          onChange={setState}
        />
        <SelectField
          label={m.supervision_source()}
          value={source}
          onChange={(event) => setSource(event.target.value)}
          options={[
            { value: '', label: m.supervision_source_all() },
            ...SOURCES.map((value) => ({ value, label: sourceName(value) })),
          ]}
        />
      </div>
      {/* Keeps its line, so that the list stays where it is. */}
      <p className="min-h-6 text-note text-muted tabular-nums">
        {counts && state !== 'closed' && m.supervision_counts({ open: formatCount(counts.open) })}
        {counts &&
          state !== 'closed' &&
          counts.for_others > 0 &&
          ` · ${m.supervision_for_others({ count: formatCount(counts.for_others) })}`}
      </p>
      {query.isPending && <SkeletonRows />}
      {query.error && !items && (
        <LoadError
          error={query.error}
          describe={(message) => m.supervision_error({ message })}
          onRetry={() => void query.refetch()}
        />
      )}
      {items?.length === 0 && (
        <EmptyState
          picture={<ClipboardCheck />}
          {...(source
            ? {
                title: m.supervision_none_of({ source: sourceName(source) }),
                text: m.supervision_none_of_text(),
              }
            : { title: NONE[state].title(), text: NONE[state].text() })}
        />
      )}
      {items && items.length > 0 && (
        <RowList>
          {items.map((item) => (
            <li key={item.id}>
              <ItemRow item={item} onOpen={() => setOpened(item.id)} />
            </li>
          ))}
        </RowList>
      )}
      <ShowMorePages query={query} isEndless={!query.isFetchNextPageError} />
      {opened && <ItemSheet id={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function ItemRow({ item, onOpen }: { item: QueuedItem; onOpen: () => void }) {
  return (
    <Pressable
      onClick={onOpen}
      className="grid min-h-target w-full gap-1 px-4 py-3 text-left hover:bg-tint"
    >
      <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="min-w-0 font-semibold wrap-anywhere">{item.member_name}</span>
        <span className="flex flex-wrap gap-1.5">
          {item.outcome && <Chip tone="quiet">{outcomeName(item.outcome)}</Chip>}
          <Chip tone={item.source === 'report' ? 'danger' : 'primary'}>
            {sourceName(item.source)}
          </Chip>
        </span>
      </span>
      <span className="line-clamp-2 wrap-anywhere">
        {item.words || (item.chat_id ? m.supervision_image() : m.supervision_about_person())}
      </span>
      <span className="text-note wrap-anywhere text-muted">
        {[whyQueued(item), item.chat_title, formatMoment(item.occurred_at), item.assigned_name]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </Pressable>
  )
}
