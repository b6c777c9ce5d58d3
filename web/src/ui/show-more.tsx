import { useEffect, useEffectEvent } from 'react'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { useIsInView } from '#lib/use-is-in-view.ts'
import { Button } from './button.tsx'

type Props = {
  hasMore: boolean
  isLoading?: boolean
  onMore: () => void
  /** How many entries are shown, and of how many where that is known. */
  shown?: number
  total?: number
  /** Loads more by itself as soon as the end comes into view. */
  isEndless?: boolean
}

/** The end of every list that loads page by page. */
export function ShowMore({ hasMore, isLoading, onMore, shown, total, isEndless }: Props) {
  const { ref, isInView } = useIsInView()
  const loadsMore = Boolean(isEndless && hasMore && isInView && !isLoading)
  const more = useEffectEvent(onMore)
  useEffect(() => {
    if (loadsMore) more()
  }, [loadsMore])
  if (!hasMore) return null
  return (
    <div ref={ref} className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button size="sm" variant="tint" isWaiting={isLoading} onClick={onMore}>
        {m.ui_show_more()}
      </Button>
      {shown !== undefined && total !== undefined && total > shown && (
        <p className="text-note text-muted tabular-nums">
          {m.ui_shown_of({ shown: formatCount(shown), total: formatCount(total) })}
        </p>
      )}
    </div>
  )
}

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }

/** The same for an infinite query. */
export function ShowMorePages({
  query,
  ...counts
}: { query: Pages } & Pick<Props, 'shown' | 'total' | 'isEndless'>) {
  return (
    <ShowMore
      hasMore={query.hasNextPage}
      isLoading={query.isFetchingNextPage}
      onMore={() => void query.fetchNextPage()}
      {...counts}
    />
  )
}
