import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow, Row } from '#data/database.ts'
import { callEdgeFunction, database } from '#data/supabase.ts'
import { getLocale } from '#lib/messages/runtime.js'
import { siteAddress } from '#lib/server/site-address.ts'
import type { Invitee } from './pasted-list/people.ts'

export type JoinLink = Pick<Row<'join_links'>, 'id' | 'expires_at'>

/** What the team knows of an address that cannot simply be invited. */
export type KnownAddress = ResultRow<'known_addresses'>

const DAY_MS = 24 * 60 * 60_000
export const LINK_DAYS = 7
/** The limit of the `invite` function. */
export const MOST_INVITEES = 100

/** `just_invited`: no mail, because the one before went out less than a minute ago. */
export type InviteOutcome =
  'invited' | 'just_invited' | 'joined' | 'already_a_member' | 'taken_back' | 'invalid' | 'failed'
export type InviteResult = { email: string; outcome: InviteOutcome; message?: string }

/** Mails each of at most MOST_INVITEES a link that opens Create Account, filled in; in the app's language unless they have one. */
export async function inviteByMail(
  invitees: (Invitee & { locale?: string })[],
): Promise<InviteResult[]> {
  const people = invitees.map(({ email, firstName, lastName, locale }) => ({
    email,
    first_name: firstName,
    last_name: lastName,
    locale,
  }))
  const order = {
    people,
    redirect_to: new URL('/create-account', siteAddress()).href,
    locale: getLocale(),
  }
  return (await callEdgeFunction<{ results: InviteResult[] }>('invite', order)).results
}

/** Which of these addresses are on the team or invited already. The key begins with the table. */
export const knownAddressesQuery = (emails: string[]) =>
  queryOptions({
    queryKey: ['invitations', 'known', emails],
    enabled: emails.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callFunction('known_addresses', { emails }, signal),
  })

/** The invitations still valid, latest expiry first. */
export const joinLinksQuery = () =>
  queryOptions({
    queryKey: ['join_links'],
    queryFn: async () => {
      const { data } = await database
        .from('join_links')
        .select('id, expires_at')
        .is('revoked_at', null)
        .gt('expires_at', new Date().toISOString())
        .order('expires_at', { ascending: false })
        .throwOnError()
      return data
    },
  })

/** @returns its id */
export async function createJoinLink(): Promise<string> {
  const expires_at = new Date(Date.now() + LINK_DAYS * DAY_MS).toISOString()
  const links = database.from('join_links').insert({ expires_at }).select('id')
  return (await links.single().throwOnError()).data.id
}

/** The code in the link. Everybody who has it can join, so the app neither loads it unasked nor keeps it. */
export function showJoinLink(id: string): Promise<string> {
  return callFunction('show_join_link', { link_id: id })
}

export async function revokeJoinLink(id: string) {
  await callFunction('take_back_join_link', { link_id: id })
}

/** Asked by visitors, too: what became of the invitation they opened. */
export function joinLinkState(token: string): Promise<string> {
  return callFunction('join_link_state', { token })
}
