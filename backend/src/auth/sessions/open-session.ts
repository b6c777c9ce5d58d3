// Creates sessions with the user agent and address of a call.
import type { DatabaseError } from 'pg'
import type { Accounts, Call } from '#auth/context.ts'
import { authErrors } from '#auth/errors.ts'
import type { User } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'
import { sessionJson, startSession, type SignIn, type SignInMethod } from './sessions.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

/** @throws user_banned if the database lets the account have no session, as when it is being suspended at this moment */
export async function openSession(
  query: Query,
  user: User,
  method: SignInMethod,
  call: Call,
  auditLine: Record<string, unknown> | null = null,
): Promise<SignIn> {
  const device = {
    userAgent: call.request.headers.get('user-agent'),
    address: call.clientAddress,
  }
  const session = { userId: user.id, sessionId: call.randomId(), method, device, auditLine }
  try {
    return await startSession(query, session, call.now)
  } catch (error) {
    if ((error as DatabaseError).code === INSUFFICIENT_PRIVILEGE) throw authErrors.userBanned(400)
    throw error
  }
}

/** The session response, with a newly signed access token. */
export function describeSession(
  user: User,
  signIn: SignIn,
  call: Call,
  { tokens, settings }: Accounts,
) {
  return sessionJson(user, signIn, {
    tokens,
    settings,
    origin: call.origin,
    nowMs: call.now.getTime(),
  })
}
