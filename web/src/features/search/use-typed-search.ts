import { useInfiniteQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { isAsked, readFilters } from './search-filters.ts'
import { searchQuery } from './search-queries.ts'

const PAUSE_MS = 200

/** What is found for what is typed, once typing pauses. The last response wins: earlier ones are given up. */
export function useTypedSearch(typed: string) {
  const settled = useDebouncedValue(typed, PAUSE_MS)
  const filters = readFilters(settled)
  const query = useInfiniteQuery(searchQuery(filters))
  const isWanted = isAsked(readFilters(typed))
  const found = query.data?.pages.flat() ?? []
  const results = found.filter(({ kind }) => kind !== 'older').length
  return {
    ...query,
    found,
    /** On screen, with the one that searches further back. */
    optionCount: query.error || !isWanted ? 0 : results + Number(query.hasNextPage),
    words: filters.query
      .split(/[\s"]+/)
      .filter((word) => word.length >= 2 && !word.startsWith('-')),
    isWanted,
    /** Something is on its way that is not shown yet. */
    isBehind:
      isWanted && (typed.trim() !== settled.trim() || query.isPlaceholderData || query.isPending),
  }
}
