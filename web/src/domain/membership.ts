import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { forgetJoinToken, joinToken } from './join-token.ts'

export type Membership = ResultRow<'my_membership'>

const FIRST_MS = 2_000
const LONGEST_MS = 10_000

/** Whether the caller is on the team. Asked again and again, ever more slowly, until they are. */
export const membershipQuery = (userId: string) =>
  queryOptions({
    queryKey: ['membership', userId],
    queryFn: async ({ signal }): Promise<Membership> => {
      const [membership] = await callFunction('my_membership', {}, signal)
      if (!membership) throw new Error('The database did not say whether this is a member')
      return membership
    },
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) =>
      state.data?.status !== 'active' &&
      Math.min(FIRST_MS * 1.25 ** state.dataUpdateCount, LONGEST_MS),
  })

/** Asks to be let in, with the link they came by: an invitation or another rule may let them in by now. */
export async function askToJoin(): Promise<void> {
  const token = joinToken()
  const status = await callFunction('join_team', token ? { join_token: token } : {})
  if (status === 'active') forgetJoinToken()
}

/**
 * What an account becomes: `member` or `waiting`; or why nothing: `other_domain` or `invitation_only`. `email`: without
 * one, what any address becomes.
 */
export function signUpOutcome(email?: string): Promise<string> {
  const token = joinToken()
  return callFunction('sign_up_outcome', {
    ...(email && { domain: email.slice(email.lastIndexOf('@') + 1) }),
    ...(token && { join_token: token }),
  })
}
