import { queryOptions } from '@tanstack/react-query'
import { database } from '#lib/supabase.ts'
import type { Member } from './chat-types.ts'
import { batchById } from './batch-by-id.ts'
import { FINDS_COPY, readOrCopy } from './read-or-copy.ts'

const COLUMNS = 'id, first_name, last_name, email'

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

/** The words of a search, without the signs that mean something in a filter. */
export function searchWords(search: string): string[] {
  return search
    .replace(/[%*_\\"(),:]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 5)
}
