import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { MemberStatus, ResultRow } from '#data/database.ts'

export const MEMBER_FILTERS = [
  'active',
  'waiting',
  'new',
  'stuck',
  'admins',
  'never_opened',
  'silent',
  'suspended',
  'removed',
  'declined',
] as const
export type MemberFilter = (typeof MEMBER_FILTERS)[number]
export type ListedMember = ResultRow<'list_members'>
export type MemberDetails = ResultRow<'member_details'>

const PAGE = 50
/** Who waits is published to admins alone. */
const READS = { alsoReads: ['newcomers'] }

/** The members a filter and a search find, by first name. The key begins with the table, so live changes refetch it. */
export const memberListQuery = (filter: MemberFilter, search: string) =>
  infiniteQueryOptions({
    queryKey: ['users', 'list', filter, search],
    meta: READS,
    // Keeps the rows while a new search loads, so that they can be pressed; not those of another filter.
    placeholderData: (previous: InfiniteData<ListedMember[], number> | undefined, query) =>
      query?.queryKey[2] === filter ? previous : undefined,
    queryFn: ({ pageParam, signal }) =>
      callFunction(
        'list_members',
        { filter, query: search, max_results: PAGE, skip: pageParam },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
  })

/** How many members each filter finds. */
export const memberCountsQuery = () =>
  queryOptions({
    queryKey: ['users', 'counts'],
    meta: READS,
    queryFn: async ({ signal }) => (await callFunction('count_members', {}, signal))[0] ?? null,
  })

/** Null if the account was deleted meanwhile. */
export const memberDetailsQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', 'details', id],
    meta: READS,
    queryFn: async ({ signal }) =>
      (await callFunction('member_details', { member_id: id }, signal))[0] ?? null,
  })

type StatusChange = {
  reason?: string
  /** Refused if another admin was quicker. */
  onlyIf?: MemberStatus
}

export async function setMemberStatus(
  id: string,
  status: MemberStatus,
  { reason = '', onlyIf }: StatusChange = {},
): Promise<void> {
  await callFunction('set_member_status', {
    member_id: id,
    status,
    reason,
    ...(onlyIf && { if_status: onlyIf }),
  })
}

/** Adds the member at the end of the vice presidents whom Home names, or takes them out. */
export async function setVicePresident(id: string, isOn: boolean): Promise<void> {
  await callFunction('set_vice_president', { member_id: id, is_vice_president: isOn })
}

/** Home names the vice presidents in this order. */
export async function orderVicePresidents(ids: string[]): Promise<void> {
  await callFunction('order_vice_presidents', { member_ids: ids })
}

export async function setSupervisor(id: string, canSupervise: boolean): Promise<void> {
  await callFunction('set_supervisor', { member_id: id, can_supervise: canSupervise })
}

export async function resetSecondFactor(id: string, reason: string): Promise<void> {
  await callFunction('reset_second_factor', { member_id: id, reason })
}

/** Null: nobody on the team brought them in. */
export async function setSponsor(id: string, sponsorId: string | null): Promise<void> {
  await callFunction('set_sponsor', { member_id: id, sponsor_id: sponsorId })
}
