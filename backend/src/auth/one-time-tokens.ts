// Links and codes that work once. Only hashes are stored. The link's token is random and has nothing to do with the
// six digits, so that knowing an address and guessing digits never makes a link.
import { createHash, randomBytes, randomInt } from 'node:crypto'
import type { Query } from '#postgres/statement.ts'

export type TokenType =
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_new'
  | 'email_change_token_current'
  | 'reauthentication_token'

/** Marks links of the PKCE flow, whose redirect carries a code instead of the session (as GoTrue). */
export const PKCE_PREFIX = 'pkce_'
const CODE_DIGITS = 6

export type OneTimeToken = { id: string; user_id: string; token_type: TokenType; expires_at: Date }
export type IssuedToken = { token: string; code: string }

type Order = {
  userId: string
  type: TokenType
  /** The address that the code is typed together with. */
  email: string
  isPkce: boolean
  lifetimeSeconds: number
}

/** Makes a link and its code; the ones sent before for the same purpose stop working. */
export async function issueOneTimeToken(
  query: Query,
  order: Order,
  now: Date,
): Promise<IssuedToken> {
  const token = (order.isPkce ? PKCE_PREFIX : '') + randomBytes(28).toString('hex')
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  await query({
    name: 'auth_issue_token',
    text: `
      insert into auth.one_time_tokens
        (user_id, token_type, token_hash, code_hash, relates_to, expires_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $7)
      on conflict (user_id, token_type) do update
        set token_hash = excluded.token_hash, code_hash = excluded.code_hash, relates_to = excluded.relates_to,
          expires_at = excluded.expires_at, created_at = excluded.created_at, updated_at = excluded.updated_at`,
    values: [
      order.userId,
      order.type,
      sha256(token),
      codeHash(order.email, code),
      order.email,
      new Date(now.getTime() + order.lifetimeSeconds * 1000),
      now,
    ],
  })
  return { token, code }
}

/** The unexpired token that a link carries. The row is locked: of two clicks at once, the second finds it gone. */
export async function findByLink(
  query: Query,
  token: string,
  types: readonly TokenType[],
  now: Date,
): Promise<OneTimeToken | null> {
  const { rows } = await query({
    name: 'auth_token_by_link',
    text: `
      select id, user_id, token_type, expires_at from auth.one_time_tokens
      where token_hash = $1 and token_type::text = any($2) and expires_at > $3
      for update`,
    values: [sha256(token), types, now],
  })
  return (rows[0] as OneTimeToken | undefined) ?? null
}

/** The unexpired token whose code was mailed to `email`. */
export async function findByCode(
  query: Query,
  { email, code, types }: { email: string; code: string; types: readonly TokenType[] },
  now: Date,
): Promise<OneTimeToken | null> {
  const { rows } = await query({
    name: 'auth_token_by_code',
    text: `
      select id, user_id, token_type, expires_at from auth.one_time_tokens
      where relates_to = $1 and code_hash = $2 and token_type::text = any($3) and expires_at > $4
      for update`,
    values: [email, codeHash(email, code), types, now],
  })
  return (rows[0] as OneTimeToken | undefined) ?? null
}

export async function deleteOneTimeTokens(
  query: Query,
  userId: string,
  types: readonly TokenType[],
): Promise<void> {
  await query({
    text: 'delete from auth.one_time_tokens where user_id = $1 and token_type::text = any($2)',
    values: [userId, types],
  })
}

export const ALL_TOKEN_TYPES: readonly TokenType[] = [
  'confirmation_token',
  'recovery_token',
  'email_change_token_new',
  'email_change_token_current',
  'reauthentication_token',
]

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function codeHash(email: string, code: string): string {
  return sha256(`${email}:${code}`)
}
