import { queryOptions, useQuery } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { CHANGED_BY_BLOCK } from '#data/live/use-live-member.ts'
import { queryClient } from '#data/query-client.ts'
import { useUserId } from '#data/session/session.ts'

export type BlockedPerson = ResultRow<'blocked_people'>

/** Whom the member blocked. */
export const blockedPeopleQuery = (userId: string) =>
  queryOptions({
    ...keptOnDevice(),
    queryKey: ['blocks', userId],
    queryFn: () => callFunction('blocked_people'),
  })

/** The ids of those whose block has an effect: it rests while one of the two is a leader. */
export function useBlockedIds(): readonly string[] {
  const { data } = useQuery({ ...blockedPeopleQuery(useUserId()), select: idsOf })
  return data ?? NOBODY
}

const NOBODY: readonly string[] = []

function idsOf(people: BlockedPerson[]): readonly string[] {
  return people.filter(({ rests }) => !rests).map(({ id }) => id)
}

export async function blockMember(memberId: string): Promise<void> {
  await callFunction('block_member', { member_id: memberId })
  await refreshAfterBlock()
}

export async function unblockMember(memberId: string): Promise<void> {
  await callFunction('unblock_member', { member_id: memberId })
  await refreshAfterBlock()
}

async function refreshAfterBlock(): Promise<void> {
  await Promise.all(
    CHANGED_BY_BLOCK.map((table) => queryClient.invalidateQueries({ queryKey: [table] })),
  )
}
