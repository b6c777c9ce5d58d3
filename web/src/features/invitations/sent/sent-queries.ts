import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'

export type SentInvitation = ResultRow<'list_invitations'>
export type SentState = SentInvitation['state']
export type SentFilter = SentState | 'all'
export type ListedLink = ResultRow<'list_join_links'>

const PAGE = 50
/** The limit of `revoke_invitations`. */
const MOST_AT_ONCE = 100

/** The invitations by mail that a filter and a search find, the latest first. The key begins with the table. */
export const sentInvitationsQuery = (filter: SentFilter, search: string) =>
  infiniteQueryOptions({
    queryKey: ['invitations', 'list', filter, search],
    // One that is opened while still typing stays open.
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      callFunction(
        'list_invitations',
        { filter, query: search, max_results: PAGE, skip: pageParam },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
  })

/** How many invitations there are in each state. */
export const sentCountsQuery = () =>
  queryOptions({
    queryKey: ['invitations', 'counts'],
    queryFn: async ({ signal }) => (await callFunction('count_invitations', {}, signal))[0] ?? null,
  })

/** @returns how many were still open */
export async function revokeInvitations(ids: string[]): Promise<number> {
  let revoked = 0
  for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
    const invitation_ids = ids.slice(from, from + MOST_AT_ONCE)
    revoked += await callFunction('revoke_invitations', { invitation_ids })
  }
  return revoked
}

/** Links that were handed out, the latest first, with how many joined by each. */
export const listedLinksQuery = () =>
  infiniteQueryOptions({
    queryKey: ['join_links', 'list'],
    queryFn: ({ pageParam, signal }) =>
      callFunction('list_join_links', { max_results: PAGE, skip: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
  })
