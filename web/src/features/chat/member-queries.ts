import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callFunction } from '#lib/call-function.ts'
import { database } from '#lib/supabase.ts'
import type { Member } from './chat-types.ts'
import { batchById } from './batch-by-id.ts'
import { FINDS_COPY, readOrCopy } from './read-or-copy.ts'

const COLUMNS = 'id, first_name, last_name, email'
const PAGE_SIZE = 50

/** One member's name. Rows asked for at the same moment are read in one request. */
export const memberQuery = (id: string) =>
  queryOptions({
    ...FINDS_COPY,
    queryKey: ['users', 'member', id],
    queryFn: async (context) =>
      (await readOrCopy(context, `member ${id}`, () => loadMember(id))).data,
    staleTime: 5 * 60_000,
  })

const loadMember = batchById(async (ids: string[]): Promise<Member[]> => {
  const { data } = await database
    .from('users')
    .select(COLUMNS)
    .in('id', ids)
    .throwOnError()
    .overrideTypes<Member[], { merge: false }>()
  return data
})

/** All other members by first name, found by every word of the search, page by page. */
export const memberSearchQuery = (ownId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: ['users', 'search', ownId, search],
    queryFn: ({ pageParam }) =>
      callFunction<Member[]>('search_members', {
        query: search,
        max_results: PAGE_SIZE,
        skip: pageParam,
      }),
    initialPageParam: 0,
    getNextPageParam: (last: Member[], pages: Member[][]) =>
      last.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE,
  })

/** The words of a search, without the signs that mean something in a filter. */
export function searchWords(search: string): string[] {
  return search
    .replace(/[%*_\\"(),:]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 5)
}
