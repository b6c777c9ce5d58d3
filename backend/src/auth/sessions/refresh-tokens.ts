// Refresh token rotation: each refresh replaces the token, and reuse of an old one reveals theft. Only hashes are stored. A
// token's successor is derived from it with the session's key, so a lost response can be repeated without storing it.
import { createHmac, randomBytes } from 'node:crypto'
import { sha256 } from '#auth/flows/one-time-tokens.ts'
import type { Query } from '#postgres/statement.ts'

/** More rotations than two tabs can make within the reuse interval. */
const MAX_SUCCESSORS = 64

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

/** Locks the session, which serializes its refreshes. */
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

/** Read under the lock: the row found may predate the refresh that held it. Null when it is gone. */
export async function isRevoked(query: Query, id: string): Promise<boolean | null> {
  const { rows } = await query({
    name: 'auth_refresh_token_revoked',
    text: 'select revoked from auth.refresh_tokens where id = $1',
    values: [id],
  })
  return (rows[0] as { revoked: boolean } | undefined)?.revoked ?? null
}

export async function replaceRefreshToken(
  query: Query,
  row: RefreshRow,
  presented: string,
  now: Date,
): Promise<string> {
  const next = successor(presented, row.refresh_token_hmac_key)
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

/**
 * A token that is not derived from the ones before, of which none is left: after a second factor was shown, only who received the
 * response goes on with the session, and a copy from before does not end it.
 */
export async function startNewFamily(
  query: Query,
  { sessionId, userId }: { sessionId: string; userId: string },
  now: Date,
): Promise<string> {
  await query({
    text: 'delete from auth.refresh_tokens where session_id = $1',
    values: [sessionId],
  })
  const { token } = newRefreshToken()
  await query({
    text: `
      insert into auth.refresh_tokens (token, user_id, revoked, session_id, created_at, updated_at)
      values ($1, $2::uuid::text, false, $3, $4, $4)`,
    values: [sha256(token), userId, sessionId, now],
  })
  return token
}

/** The session's unused token, if the replaced `presented` may still stand for it. */
export async function repeatLastToken(
  query: Query,
  row: RefreshRow,
  presented: string,
  { now, reuseSeconds }: { now: Date; reuseSeconds: number },
): Promise<string | null> {
  const { rows } = await query({
    name: 'auth_active_refresh_token',
    text: `
      select active.token, active.parent, presented.updated_at
      from auth.refresh_tokens presented
      left join auth.refresh_tokens active on active.session_id = presented.session_id and not active.revoked
      where presented.id = $1
      order by active.id desc limit 1`,
    values: [row.id],
  })
  const state = rows[0] as { token: string | null; parent: string; updated_at: Date } | undefined
  if (!state?.token) return null
  // The parent of the unused token is always accepted: its client never received the response.
  const isParent = state.parent === row.token
  const isRecent = state.updated_at.getTime() + reuseSeconds * 1000 >= now.getTime()
  if (!isParent && !isRecent) return null
  let token = presented
  for (let step = 0; step < MAX_SUCCESSORS; step++) {
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
