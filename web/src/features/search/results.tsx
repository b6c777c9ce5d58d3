import { CalendarClock, SearchX } from 'lucide-react'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { isOffline } from '#lib/server/notify-error.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Option, OptionGroup, OptionList } from '#ui/option-list.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { ResultOption } from './result-option.tsx'
import { resultGroups } from './result-groups.ts'
import type { Found } from './search-queries.ts'
import type { useTypedSearch } from './use-typed-search.ts'

type ResultsProps = {
  id: string
  active: number
  onPoint: (index: number) => void
  search: ReturnType<typeof useTypedSearch>
  onOpen: (found: Found) => void
}

export function Results({ id, active, onPoint, search, onOpen }: ResultsProps) {
  const { found, words, error, refetch, isPending, isBehind, isPlaceholderData } = search
  if (error && isOffline(error)) {
    return (
      <ErrorState
        title={m.ui_offline_title()}
        text={m.search_needs_connection()}
        onRetry={() => void refetch()}
      />
    )
  }
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (isPending || (isPlaceholderData && found.length === 0)) return <SkeletonRows />
  const groups = resultGroups(found)
  const ordered = groups.flatMap(({ items }) => items)
  const older = search.hasNextPage ? found.findLast(({ kind }) => kind === 'older')?.at : undefined
  const stateOf = (index: number) => ({
    id: `${id}-${index}`,
    isActive: index === active,
    onPoint: () => onPoint(index),
  })
  return (
    <div aria-busy={isBehind} className={isBehind ? 'opacity-60' : undefined}>
      <p role="status" className="sr-only">
        {isBehind ? '' : m.search_count({ count: ordered.length })}
      </p>
      {ordered.length === 0 && (
        <EmptyState
          picture={<SearchX />}
          title={m.search_nothing()}
          text={
            older ? m.search_nothing_since({ time: formatMoment(older) }) : m.search_nothing_text()
          }
        />
      )}
      <OptionList id={id} label={m.search_results()}>
        {groups.map(({ kind, name, icon, items, isNear }) => (
          <OptionGroup key={kind} title={isNear ? m.search_similar({ group: name() }) : name()}>
            {items.map((each) => (
              <ResultOption
                key={each.id}
                {...stateOf(ordered.indexOf(each))}
                found={each}
                icon={icon}
                words={words}
                onSelect={() => onOpen(each)}
              />
            ))}
          </OptionGroup>
        ))}
        {older && (
          <Option
            {...stateOf(ordered.length)}
            onSelect={() => !search.isFetching && void search.fetchNextPage()}
            picture={<CalendarClock />}
          >
            {search.isFetchingNextPage
              ? m.search_older_loading()
              : m.search_older({ time: formatMoment(older) })}
          </Option>
        )}
      </OptionList>
    </div>
  )
}
