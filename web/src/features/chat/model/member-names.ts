import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { database } from '#data/supabase.ts'
import { memberName } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { batchById } from './batch-by-id.ts'
import { REFRESHED_LIVE } from './chat-queries.ts'
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
    ...REFRESHED_LIVE,
  })

const loadMember = batchById(async (ids: string[]): Promise<Member[]> => {
  const { data } = await database.from('users').select(COLUMNS).in('id', ids).throwOnError()
  return data
})

/** A member's name, empty until loaded. */
export function useMemberName(id: string | null | undefined): string {
  const { data: member } = useQuery({ ...memberQuery(id ?? ''), enabled: Boolean(id) })
  // Whose admission was taken back is no longer among those who are or were on the team.
  if (member === null) return m.chat_former_member()
  return member ? memberName(member) : ''
}

/** Asks for names as soon as it is known that they will be shown: what else is asked at that moment goes with it. */
export function useNamesAhead(ids: readonly string[]): void {
  const client = useQueryClient()
  const all = [...new Set(ids)].sort().join()
  useEffect(() => {
    for (const id of all.split(',').filter(Boolean)) void client.prefetchQuery(memberQuery(id))
  }, [client, all])
}
