// Each refresh replaces the token; showing an old one again gives a thief away. The database knows only hashes. A token's
// successor follows from it and the session's own secret, so a lost answer can be repeated without having been stored.
import { createHmac, randomBytes } from 'node:crypto'
import type { Query } from '#postgres/statement.ts'
import { sha256 } from './one-time-tokens.ts'

/** More replacements than two tabs make within the reuse interval. */
const LONGEST_WALK = 64

export type RefreshRow = {
  id: string
  token: string
  parent: string | null
  revoked: boolean
  updated_at: Date
  session_id: string
  user_id: string
  refresh_token_hmac_key: string
  not_after: Date | null
}

export function newRefreshToken(): { token: string; key: string } {
  return { token: randomBytes(24).toString('base64url'), key: randomBytes(32).toString('hex') }
}

/** Locks the session too, so refreshes of one session go one after the other. */
export async function findRefreshToken(query: Query, token: string): Promise<RefreshRow | null> {
  const { rows } = await query({
    name: 'auth_find_refresh_token',
    text: `
      select t.id, t.token, t.parent, t.revoked, t.updated_at, t.session_id,
        s.user_id, s.refresh_token_hmac_key, s.not_after
      from auth.sessions s join auth.refresh_tokens t on t.session_id = s.id
      where s.id = (select session_id from auth.refresh_tokens where token = $1) and t.token = $1
      for update of s`,
    values: [sha256(token)],
  })
  return (rows[0] as RefreshRow | undefined) ?? null
}

/** Read again under the lock: the row that was found may be older than the refresh that held it. */
export async function isRevoked(query: Query, id: string): Promise<RefreshRow['revoked']> {
  const { rows } = await query({
    name: 'auth_refresh_token_state',
    text: 'select revoked from auth.refresh_tokens where id = $1',
    values: [id],
  })
  return (rows[0] as { revoked: boolean } | undefined)?.revoked ?? true
}

export async function replaceRefreshToken(
  query: Query,
  row: RefreshRow,
  shown: string,
  now: Date,
): Promise<string> {
  const next = successor(shown, row.refresh_token_hmac_key)
  await query({
    name: 'auth_replace_refresh_token',
    text: `
      with old as (update auth.refresh_tokens set revoked = true, updated_at = $4 where id = $1),
        session as (
          update auth.sessions set refreshed_at = $4::timestamptz at time zone 'utc', updated_at = $4 where id = $5
        )
      insert into auth.refresh_tokens (token, parent, user_id, revoked, session_id, created_at, updated_at)
      values ($2, $3, $6, false, $5, $4, $4)`,
    values: [row.id, sha256(next), row.token, now, row.session_id, row.user_id],
  })
  return next
}

/** The session's unused token, if the replaced `shown` may still stand for it. */
export async function repeatLastAnswer(
  query: Query,
  row: RefreshRow,
  shown: string,
  { now, reuseSeconds }: { now: Date; reuseSeconds: number },
): Promise<string | null> {
  const { rows } = await query({
    name: 'auth_active_refresh_token',
    text: `
      select active.token, active.parent, shown.updated_at
      from auth.refresh_tokens shown
      left join auth.refresh_tokens active on active.session_id = shown.session_id and not active.revoked
      where shown.id = $1
      order by active.id desc limit 1`,
    values: [row.id],
  })
  const state = rows[0] as { token: string | null; parent: string; updated_at: Date } | undefined
  if (!state?.token) return null
  // The parent of the unused token is always let in: its client never got the answer.
  const isParent = state.parent === row.token
  const isRecent = state.updated_at.getTime() + reuseSeconds * 1000 >= now.getTime()
  if (!isParent && !isRecent) return null
  let token = shown
  for (let step = 0; step < LONGEST_WALK; step++) {
    token = successor(token, row.refresh_token_hmac_key)
    if (sha256(token) === state.token) return token
  }
  return null
}

export async function revokeFamily(query: Query, sessionId: string, now: Date): Promise<void> {
  await query({
    text: 'update auth.refresh_tokens set revoked = true, updated_at = $2 where session_id = $1 and not revoked',
    values: [sessionId, now],
  })
}

function successor(token: string, key: string): string {
  return createHmac('sha256', key).update(token).digest('base64url').slice(0, 32)
}
