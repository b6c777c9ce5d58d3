// Creates sessions with the user agent and address of a call.
import type { Accounts, Call } from '#auth/context.ts'
import type { User } from '#auth/users.ts'
import type { Query } from '#postgres/statement.ts'
import { sessionJson, startSession, type SignIn, type SignInMethod } from './sessions.ts'

export function openSession(
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
  return startSession(
    query,
    { userId: user.id, sessionId: call.randomId(), method, device, auditLine },
    call.now,
  )
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
