// Sessions: the row, its first refresh token and its access tokens.
import { isIP } from 'node:net'
import { sha256 } from '#auth/flows/one-time-tokens.ts'
import { LIMITS } from '#auth/limits.ts'
import type { AuthSettings } from '#auth/settings.ts'
import { userJson } from '#auth/user-json.ts'
import { AUDIENCE, type User } from '#auth/users.ts'
import type { AccessTokens } from '#http/access-tokens.ts'
import type { Query } from '#postgres/statement.ts'
import { newRefreshToken } from './refresh-tokens.ts'

/** The authentication method, as in the `amr` claim. */
export type SignInMethod =
  'password' | 'otp' | 'recovery' | 'magiclink' | 'invite' | 'email/signup' | 'email_change'
/** Sign-ins that show access to the mailbox. */
export const MAILED_METHODS: readonly string[] = [
  'recovery',
  'otp',
  'magiclink',
  'invite',
] satisfies SignInMethod[]
/** Methods that raise a session to `aal2`, as in GoTrue. */
const SECOND_FACTORS = ['totp', 'mfa/phone', 'mfa/webauthn']

/** One thing that a session's owner has shown. */
export type Proof = { method: string; at: Date }
export type SignIn = {
  sessionId: string
  /** The latest first. */
  proofs: Proof[]
  refreshToken: string
}

type Device = { userAgent: string | null; address: string }

/**
 * Creates a session. One statement also writes the user's last sign-in and the audit log entry, so that signing in is a
 * single round trip and transaction.
 */
export async function startSession(
  query: Query,
  {
    userId,
    sessionId,
    method,
    device,
    auditLine = null,
  }: {
    userId: string
    sessionId: string
    method: SignInMethod
    device: Device
    auditLine?: Record<string, unknown> | null
  },
  now: Date,
): Promise<SignIn> {
  const { token, key } = newRefreshToken()
  await query({
    name: 'auth_start_session',
    text: `
      with seen as (
        update auth.users set last_sign_in_at = $3, updated_at = $3 where id = $2::uuid
      ), session as (
        insert into auth.sessions
          (id, user_id, created_at, updated_at, aal, user_agent, ip, refresh_token_hmac_key, refresh_token_counter)
        values ($1, $2::uuid, $3, $3, 'aal1', $4, $5, $6, 0)
      ), surplus as (
        delete from auth.sessions where id in (
          select locked.id from auth.sessions locked where locked.id in (
            select old.id from (
              select s.id, (s.aal >= 'aal2') is true as is_aal2,
                network(set_masklen(s.ip, case family(s.ip) when 4 then 24 else 48 end)) as network,
                coalesce(s.refreshed_at, s.created_at at time zone 'utc') as used_at
              from auth.sessions s where s.user_id = $2::uuid
            ) old
            -- The password alone ends no session that has shown a second factor or was just opened by a mailed link. Signing in again and
            -- again ends sessions of one's own network, and from many networks those where no second factor was shown.
            order by is_aal2 desc,
              exists (
                select from auth.mfa_amr_claims c
                where c.session_id = old.id and c.authentication_method = any($12) and c.created_at > $3 - interval '1 hour'
              ) desc,
              row_number() over (partition by is_aal2, network order by used_at desc),
              bool_or(is_aal2) over (partition by network) desc,
              used_at desc
            offset $11
          )
          -- Of sign-ins at the same moment each ends what no other is ending.
          for update skip locked
        )
      ), proof as (
        insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method)
        values ($1, $3, $3, $7)
      ), line as (
        insert into auth.audit_log_entries (id, payload, created_at, ip_address)
        select gen_random_uuid(), $9::json, $3, $10 where $9 is not null
      )
      insert into auth.refresh_tokens (token, user_id, revoked, session_id, created_at, updated_at)
      values ($8, $2::uuid::text, false, $1, $3, $3)`,
    values: [
      sessionId,
      userId,
      now,
      device.userAgent?.slice(0, 500) ?? null,
      inet(device.address),
      key,
      method,
      sha256(token),
      auditLine,
      device.address.slice(0, 64),
      // The new one comes on top.
      LIMITS.sessionsPerAccount - 1,
      MAILED_METHODS,
    ],
  })
  return { sessionId, proofs: [{ method, at: now }], refreshToken: token }
}

/** What the session's owner has shown, the latest first; never empty. */
export async function findProofs(query: Query, sessionId: string): Promise<Proof[]> {
  const { rows } = await query({
    name: 'auth_proofs_of_session',
    text: `
      select authentication_method as method, updated_at as at
      from auth.mfa_amr_claims where session_id = $1 order by updated_at desc, created_at desc`,
    values: [sessionId],
  })
  return rows.length > 0 ? (rows as Proof[]) : [{ method: 'password', at: new Date(0) }]
}

/** Records a second factor in the session. @returns false when the session has ended */
export async function raiseSession(
  query: Query,
  { sessionId, factorId }: { sessionId: string; factorId: string },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await query({
    text: `
      with session as (
        update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = $3 where id = $1 returning id
      )
      insert into auth.mfa_amr_claims as known (session_id, created_at, updated_at, authentication_method)
      select id, $3, $3, 'totp' from session
      on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`,
    values: [sessionId, factorId, now],
  })
  return Boolean(rowCount)
}

/** Ends the user's sessions that have not shown a second factor. */
export async function endLowSessions(query: Query, userId: string): Promise<void> {
  await query({
    text: `delete from auth.sessions where user_id = $1 and coalesce(aal, 'aal1') < 'aal2'`,
    values: [userId],
  })
}

/** Takes back what a removed factor had shown. */
export async function lowerSessions(query: Query, factorId: string): Promise<void> {
  await query({
    text: `
      with lowered as (
        update auth.sessions set aal = 'aal1', factor_id = null where factor_id = $1 returning id
      )
      delete from auth.mfa_amr_claims
      where session_id in (select id from lowered) and authentication_method = 'totp'`,
    values: [factorId],
  })
}

/** GoTrue's response to every successful sign-in. */
export async function sessionJson(
  user: User,
  signIn: SignIn,
  {
    tokens,
    settings,
    origin,
    nowMs,
  }: { tokens: AccessTokens; settings: AuthSettings; origin: string; nowMs: number },
) {
  const issuedAt = Math.floor(nowMs / 1000)
  const expiresAt = issuedAt + settings.accessTokenSeconds
  const accessToken = await tokens.sign({
    iss: `${origin}/auth/v1`,
    sub: user.id,
    aud: AUDIENCE,
    exp: expiresAt,
    iat: issuedAt,
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: metadataForToken(user),
    role: user.role || AUDIENCE,
    aal: signIn.proofs.some(({ method }) => SECOND_FACTORS.includes(method)) ? 'aal2' : 'aal1',
    amr: signIn.proofs.map(({ method, at }) => ({
      method,
      timestamp: Math.floor(at.getTime() / 1000),
    })),
    session_id: signIn.sessionId,
    is_anonymous: user.is_anonymous,
  })
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: settings.accessTokenSeconds,
    expires_at: expiresAt,
    refresh_token: signIn.refreshToken,
    user: userJson(user),
  }
}

/** Nobody could use a token that is too long for a header. */
function metadataForToken({ raw_user_meta_data: metadata }: User) {
  if (!metadata || Buffer.byteLength(JSON.stringify(metadata)) > LIMITS.userMetadataBytes) return {}
  return metadata
}

/** @param scope which of the user's sessions end; `others` keeps `sessionId` */
export async function endSessions(
  query: Query,
  userId: string,
  scope: 'global' | 'local' | 'others',
  sessionId: string | null,
): Promise<void> {
  const condition = { global: '', local: ' and id = $2', others: ' and id is distinct from $2' }
  await query({
    text: `delete from auth.sessions where user_id = $1${condition[scope]}`,
    values: scope === 'global' ? [userId] : [userId, sessionId],
  })
}

/** The address for an `inet` column; null for an invalid one from a proxy, which must not prevent the sign-in. */
export function inet(address: string): string | null {
  // Postgres takes no zone, as in fe80::1%eth0.
  return isIP(address) && !address.includes('%') ? address : null
}
