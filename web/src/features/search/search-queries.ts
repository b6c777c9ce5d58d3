import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { isAsked, type SearchFilters } from './search-filters.ts'

export type Found = ResultRow<'search_everything'>

/** What matches, of all kinds; further pages are older messages. A response that is not wanted any more is given up. */
export const searchQuery = (filters: SearchFilters) =>
  infiniteQueryOptions({
    queryKey: ['search', filters],
    queryFn: ({ pageParam, signal }) =>
      callFunction(
        'search_everything',
        {
          query: filters.query,
          sender: filters.sender,
          place: filters.place,
          has_image: filters.hasImage,
          ...(pageParam && { until: pageParam }),
        },
        signal,
      ),
    enabled: isAsked(filters),
    // What was found stays until the next response is there.
    placeholderData: keepPreviousData,
    refetchOnReconnect: true,
    retry: false,
    initialPageParam: filters.until,
    getNextPageParam: (last: Found[]) => last.find(({ kind }) => kind === 'older')?.at ?? undefined,
  })
