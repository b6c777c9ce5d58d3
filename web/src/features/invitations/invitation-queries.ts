import { queryOptions } from '@tanstack/react-query'
import { database } from '#lib/supabase.ts'

export type JoinLink = { id: string; token: string; expires_at: string }

const DAY_MS = 24 * 60 * 60_000
export const LINK_DAYS = 7

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
