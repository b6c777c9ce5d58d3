// Single-use links and codes. Only hashes are stored. A link's token is random and independent of the code, so that guessing
// digits never yields a link. A code only exists if the mail shows it.
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { LIMITS } from '#auth/limits.ts'
import type { Query } from '#postgres/statement.ts'

export type TokenType =
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_new'
  | 'email_change_token_current'
  | 'reauthentication_token'

/** Marks links of the PKCE flow, whose redirect carries a code instead of the session, as in GoTrue. */
export const PKCE_PREFIX = 'pkce_'

export type OneTimeToken = {
  id: string
  user_id: string
  token_type: TokenType
  token_hash: string
  /** The address it was mailed to. */
  relates_to: string
  expires_at: Date
  /** The sign-up that a confirmation activates. */
  pending_sign_up: string | null
  /** Of a link of the PKCE flow. */
  flow_state: string | null
}
/** `code` is empty when the mail does not show one. */
export type IssuedToken = { token: string; code: string }

type Order = {
  userId: string
  type: TokenType
  /** The address entered together with the code. */
  email: string
  /** The PKCE flow that the link goes on with. */
  flow: string | null
  hasCode: boolean
  lifetimeSeconds: number
  /** Only for confirmations, see pending-sign-ups.ts. */
  pendingSignUp?: string | null
}

/**
 * Issues a link and, if the mail shows one, a code. Several links of a type are valid until one is used, so that a request with
 * another person's address does not invalidate their link; of the codes that prove it is still you, only the latest.
 */
export async function issueOneTimeToken(
  query: Query,
  order: Order,
  now: Date,
): Promise<IssuedToken> {
  const token = (order.flow ? PKCE_PREFIX : '') + randomBytes(28).toString('hex')
  const code = order.hasCode ? newCode() : ''
  await query({
    name: 'auth_issue_token',
    text: `
      insert into auth.one_time_tokens
        (user_id, token_type, token_hash, code_hash, relates_to, expires_at, pending_sign_up, flow_state, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
      on conflict (user_id, token_type) where token_type = 'reauthentication_token' do update
        set token_hash = excluded.token_hash, code_hash = excluded.code_hash, relates_to = excluded.relates_to,
          expires_at = excluded.expires_at, flow_state = excluded.flow_state, code_guesses = 0,
          created_at = excluded.created_at, updated_at = excluded.updated_at`,
    values: [
      order.userId,
      order.type,
      sha256(token),
      code === '' ? null : codeHash(order.email, code),
      order.email,
      new Date(now.getTime() + order.lifetimeSeconds * 1000),
      order.pendingSignUp ?? null,
      order.flow,
      now,
    ],
  })
  await dropOldLinks(query, order)
  return { token, code }
}

function newCode(): string {
  return Array.from({ length: LIMITS.codeDigits }, () => randomInt(10)).join('')
}

/** There is only one of a type that allows no more. */
async function dropOldLinks(query: Query, { userId, type }: Order): Promise<void> {
  await query({
    name: 'auth_drop_old_links',
    text: `
      delete from auth.one_time_tokens where id in (
        select id from auth.one_time_tokens
        where user_id = $1 and token_type = $2
        order by created_at desc, id offset ${LIMITS.linksPerAccount}
      )`,
    values: [userId, type],
  })
}

const SELECT_TOKENS = `
  select id, user_id, token_type, token_hash, relates_to, expires_at, pending_sign_up, flow_state
  from auth.one_time_tokens`

/** The unexpired token of a link. Lock its user and check `isUnused` before redeeming it. */
export async function findByLink(
  query: Query,
  token: string,
  types: readonly TokenType[],
  now: Date,
): Promise<OneTimeToken | null> {
  const { rows } = await query({
    name: 'auth_token_by_link',
    text: `
      ${SELECT_TOKENS}
      where token_hash = $1 and token_type::text = any($2) and expires_at > $3`,
    values: [sha256(token), types, now],
  })
  return (rows[0] as OneTimeToken | undefined) ?? null
}

type CodeClaim = { email: string; code: string; types: readonly TokenType[] }

/**
 * Counts an attempt before the code is checked, so that concurrent guesses cannot exceed the limit. Call it outside the
 * transaction that a wrong code rolls back.
 */
export async function countCodeGuess(
  query: Query,
  { email, types }: Omit<CodeClaim, 'code'>,
): Promise<void> {
  await query({
    name: 'auth_count_code_guess',
    text: `
      update auth.one_time_tokens set code_guesses = code_guesses + 1
      where relates_to = $1 and token_type::text = any($2) and code_hash is not null
        and code_guesses <= ${LIMITS.guessesPerCode}`,
    values: [email, types],
  })
}

/** The unexpired token whose code was mailed to `email`, unless it had too many attempts. */
export async function findByCode(
  query: Query,
  { email, code, types }: CodeClaim,
  now: Date,
): Promise<OneTimeToken | null> {
  const { rows } = await query({
    name: 'auth_token_by_code',
    text: `
      ${SELECT_TOKENS}
      where relates_to = $1 and code_hash = $2 and token_type::text = any($3) and expires_at > $4
        and code_guesses <= ${LIMITS.guessesPerCode}`,
    values: [email, codeHash(email, code), types, now],
  })
  return (rows[0] as OneTimeToken | undefined) ?? null
}

/**
 * Of two concurrent clicks, the second finds the token gone. The hash tells whether a newer token has taken its row. Only the
 * user is locked, as when links are issued, so that the two cannot deadlock.
 */
export async function isUnused(query: Query, { id, token_hash }: OneTimeToken): Promise<boolean> {
  const { rowCount } = await query({
    name: 'auth_token_is_there',
    text: 'select from auth.one_time_tokens where id = $1 and token_hash = $2',
    values: [id, token_hash],
  })
  return Boolean(rowCount)
}

/** Of these types, those that the account has tokens of, expired ones included. */
export async function issuedTypes(
  query: Query,
  userId: string,
  types: readonly TokenType[],
): Promise<TokenType[]> {
  const { rows } = await query({
    text: `
      select distinct token_type::text as type from auth.one_time_tokens
      where user_id = $1 and token_type::text = any($2)`,
    values: [userId, types],
  })
  return (rows as { type: TokenType }[]).map(({ type }) => type)
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

export const EMAIL_CHANGE_TOKENS: readonly TokenType[] = [
  'email_change_token_current',
  'email_change_token_new',
]

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
