import { infiniteQueryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'

export type FoundMember = ResultRow<'search_members'>

const PAGE_SIZE = 50

/** All other current members by first name, matching every search word, page by page. */
export const memberSearchQuery = (ownId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: ['users', 'search', ownId, search],
    queryFn: ({ pageParam }) =>
      callFunction('search_members', {
        query: search,
        max_results: PAGE_SIZE,
        skip: pageParam,
      }),
    // Offline it says so, instead of waiting unseen, and searches again once connected.
    networkMode: 'always',
    refetchOnReconnect: true,
    initialPageParam: 0,
    getNextPageParam: (last: FoundMember[], pages: FoundMember[][]) =>
      last.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE,
  })
