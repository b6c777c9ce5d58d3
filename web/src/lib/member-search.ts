import { infiniteQueryOptions } from '@tanstack/react-query'
import { callFunction } from './call-function.ts'

export type FoundMember = { id: string; first_name: string; last_name: string; email: string }

const PAGE_SIZE = 50

/** All other current members by first name, found by every word of the search, page by page. */
export const memberSearchQuery = (ownId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: ['users', 'search', ownId, search],
    queryFn: ({ pageParam }) =>
      callFunction<FoundMember[]>('search_members', {
        query: search,
        max_results: PAGE_SIZE,
        skip: pageParam,
      }),
    initialPageParam: 0,
    getNextPageParam: (last: FoundMember[], pages: FoundMember[][]) =>
      last.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE,
  })
