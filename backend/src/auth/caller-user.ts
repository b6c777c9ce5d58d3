// Whom the access token of a call stands for, as the database knows them now: a token outlives its session.
import type { Query } from '#postgres/statement.ts'
import type { Call } from './action.ts'
import { authErrors } from './errors.ts'
import { findUserById, isBanned, type User } from './users.ts'

export type CallerUser = { user: User; sessionId: string; sessionStartedAt: Date }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text)
}

/** @throws what GoTrue throws for a missing, foreign or outdated token */
export async function requireUser(query: Query, call: Call): Promise<CallerUser> {
  const { sub, session_id: sessionId } = call.caller.claims
  if (!call.request.headers.has('authorization')) throw authErrors.noAuthorization()
  if (!isUuid(sub)) throw authErrors.badToken()
  const user = await findUserById(query, sub)
  if (!user || user.deleted_at) throw authErrors.userOfTokenNotFound()
  if (isBanned(user, call.now.getTime())) throw authErrors.userBanned(403)
  if (!isUuid(sessionId)) throw authErrors.sessionOfTokenNotFound()
  const { rows } = await query({
    name: 'auth_session_of_token',
    text: 'select created_at from auth.sessions where id = $1 and user_id = $2 and (not_after is null or not_after > $3)',
    values: [sessionId, sub, call.now],
  })
  const session = rows[0] as { created_at: Date } | undefined
  if (!session) throw authErrors.sessionOfTokenNotFound()
  return { user, sessionId, sessionStartedAt: session.created_at }
}

/** @throws not_admin unless a trusted server calls with the secret key */
export function requireServiceRole(call: Call): void {
  if (call.caller.role === 'service_role') return
  if (!call.request.headers.has('authorization')) throw authErrors.noAuthorization()
  throw authErrors.userNotAllowed()
}
