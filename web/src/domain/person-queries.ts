import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'

export type PersonProfile = ResultRow<'member_profile'>

/** A member as they show themselves to the reader; null if there is no such member. */
export const personQuery = (id: string) =>
  queryOptions({
    ...keptOnDevice(),
    queryKey: ['users', 'profile', id],
    queryFn: () => readPerson(id),
    // What somebody shares may have changed since the sheet was last open.
    staleTime: 0,
  })

async function readPerson(id: string): Promise<PersonProfile | null> {
  const [person] = await callFunction('member_profile', { member_id: id })
  return person ?? null
}
