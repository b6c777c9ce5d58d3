// Loads the user of a call's access token from the database, because a token can outlive its session.
import type { Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import { findUserById, hasSecondFactor, isBanned, type User } from '#auth/users.ts'
import type { Claims } from '#http/caller.ts'
import type { Query } from '#postgres/statement.ts'
import { latestProof } from './shown-proofs.ts'

export type AuthenticatedUser = {
  user: User
  sessionId: string
  sessionStartedAt: Date
  /** Whether the session has shown a second factor and the token is from after the last time: one that was stolen before is not. */
  isAal2: boolean
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text)
}

/** In SQL, whether `s` has shown something since `latest`, the parameter with what the token says of it last. */
const hasShownSince = (latest: `$${number}`) => `exists (
  select from auth.mfa_amr_claims shown
  where shown.session_id = s.id and floor(extract(epoch from shown.updated_at)) > ${latest}::bigint
)`

/**
 * @param mayPrecedeCode whether a token from before its session last showed the second factor will do
 * @throws GoTrue's errors for a missing, invalid or outdated token
 */
export async function requireUser(
  query: Query,
  call: Call,
  { mayPrecedeCode = false } = {},
): Promise<AuthenticatedUser> {
  const { sub, session_id: sessionId, aal } = call.caller.claims
  if (!call.request.headers.has('authorization')) throw authErrors.noAuthorization()
  if (!isUuid(sub)) throw authErrors.badToken()
  const user = await findUserById(query, sub)
  if (!user || user.deleted_at) throw authErrors.userOfTokenNotFound()
  if (isBanned(user, call.now.getTime())) throw authErrors.userBanned(403)
  if (!isUuid(sessionId)) throw authErrors.sessionOfTokenNotFound()
  const { rows } = await query({
    name: 'auth_session_of_token',
    text: `
      select created_at, aal, ${hasShownSince('$4')} as has_shown_since
      from auth.sessions s where id = $1 and user_id = $2 and (not_after is null or not_after > $3)`,
    values: [sessionId, sub, call.now, latestProof(call.caller.claims)],
  })
  const session = rows[0] as
    { created_at: Date; aal: string | null; has_shown_since: boolean } | undefined
  if (!session) throw authErrors.sessionOfTokenNotFound()
  const isAal2 = session.aal === 'aal2' && aal === 'aal2' && !session.has_shown_since
  const isOutdated =
    session.has_shown_since || (session.aal === 'aal2' && !isAal2 && hasSecondFactor(user))
  if (isOutdated && !mayPrecedeCode)
    throw authErrors.insufficientAal(401, 'AAL2 session is required, and a token of it')
  return { user, sessionId, sessionStartedAt: session.created_at, isAal2 }
}

/** @throws insufficient_aal when the user has a second factor that the session has not shown */
export function requireFullSession({ user, isAal2 }: AuthenticatedUser, message: string): void {
  if (hasSecondFactor(user) && !isAal2) throw authErrors.insufficientAal(401, message)
}

/** Whether a token's session still exists, its user is not banned, and the token is from after any second factor of theirs was shown. */
export async function isLiveSession(query: Query, claims: Claims, now: Date): Promise<boolean> {
  if (!isUuid(claims.sub) || !isUuid(claims.session_id)) return false
  const { rowCount } = await query({
    name: 'auth_session_is_live',
    text: `
      select from auth.sessions s join auth.users u on u.id = s.user_id
      where s.id = $1 and u.id = $2 and u.deleted_at is null
        and (s.not_after is null or s.not_after > $3) and (u.banned_until is null or u.banned_until <= $3)
        and not ${hasShownSince('$5')} and (s.aal >= 'aal2' and $4 or not exists (
          select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'
        ))`,
    values: [claims.session_id, claims.sub, now, claims.aal === 'aal2', latestProof(claims)],
  })
  return Boolean(rowCount)
}

/** @throws not_admin unless called with the secret key */
export function requireServiceRole(call: Call): void {
  if (call.caller.role === 'service_role') return
  if (!call.request.headers.has('authorization')) throw authErrors.noAuthorization()
  throw authErrors.userNotAllowed()
}
