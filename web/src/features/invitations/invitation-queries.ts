import { queryOptions } from '@tanstack/react-query'
import { getLocale } from '#lib/messages/runtime.js'
import { siteAddress } from '#lib/site-address.ts'
import { callEdgeFunction, database } from '#lib/supabase.ts'
import type { Invitee } from './parse-invitees.ts'

export type JoinLink = { id: string; token: string; expires_at: string }

const DAY_MS = 24 * 60 * 60_000
export const LINK_DAYS = 7
/** The function `invite` takes no more. */
export const MOST_INVITEES = 100

export type InviteOutcome = 'invited' | 'already_a_member' | 'invalid' | 'failed'
export type InviteResult = { email: string; outcome: InviteOutcome; message?: string }

/** Has each of them sent a mail whose link opens Create Account, filled in. */
export async function inviteByMail(invitees: Invitee[]): Promise<InviteResult[]> {
  const people = invitees.map(({ email, firstName, lastName }) => ({
    email,
    first_name: firstName,
    last_name: lastName,
  }))
  const order = {
    people,
    redirect_to: new URL('/create-account', siteAddress()).href,
    locale: getLocale(),
  }
  return (await callEdgeFunction<{ results: InviteResult[] }>('invite', order)).results
}

/** The invitations that can still be used, the one that lasts longest first. */
export const joinLinksQuery = () =>
  queryOptions({
    queryKey: ['join_links'],
    queryFn: async () => {
      const { data } = await database
        .from('join_links')
        .select('id, token, expires_at')
        .gt('expires_at', new Date().toISOString())
        .order('expires_at', { ascending: false })
        .throwOnError()
        .overrideTypes<JoinLink[], { merge: false }>()
      return data
    },
  })

export async function createJoinLink() {
  const expires_at = new Date(Date.now() + LINK_DAYS * DAY_MS).toISOString()
  await database.from('join_links').insert({ expires_at }).throwOnError()
}

export async function takeBackJoinLink(id: string) {
  await database.from('join_links').delete().eq('id', id).throwOnError()
}

/** Asked by visitors, too: whether the invitation they opened can still be used. */
export async function isJoinLinkOpen(token: string): Promise<boolean> {
  const answer = await database.rpc('join_link_is_open', { token }).throwOnError()
  return answer.data === true
}
