import { queryOptions } from '@tanstack/react-query'
import { database } from '#data/supabase.ts'
import { batchById } from './batch-by-id.ts'
import type { Member } from './chat-types.ts'
import { FINDS_COPY, readDataOrCopy } from './read-or-copy.ts'

const COLUMNS = 'id, first_name, last_name, email'

/** One member's name. Concurrent requests are batched. */
export const memberQuery = (id: string) =>
  queryOptions({
    ...FINDS_COPY,
    queryKey: ['users', 'member', id],
    queryFn: (context) => readDataOrCopy(context, `member ${id}`, () => loadMember(id)),
    staleTime: 5 * 60_000,
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
