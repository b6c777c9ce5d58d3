import { queryOptions } from '@tanstack/react-query'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { database } from '#data/supabase.ts'
import { batchById } from './batch-by-id.ts'
import type { Member } from './chat-types.ts'

const COLUMNS = 'id, first_name, last_name, email'

/** One member's name. Concurrent requests are batched. */
export const memberQuery = (id: string) =>
  queryOptions({
    // Who was not found may be by now.
    ...keptOnDevice<Member | null>({ fromKept: (member) => member ?? undefined }),
    queryKey: ['users', 'member', id],
    queryFn: () => loadMember(id),
    staleTime: 5 * 60_000,
    refetchOnReconnect: true,
  })

const loadMember = batchById(async (ids: string[]): Promise<Member[]> => {
  const { data } = await database.from('users').select(COLUMNS).in('id', ids).throwOnError()
  return data
})

/** The words of a search, without characters that are filter syntax. */
export function searchWords(search: string): string[] {
  return search
    .replace(/[%*_\\"(),:]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 5)
}
