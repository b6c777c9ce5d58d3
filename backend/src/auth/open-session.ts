// Between actions and sessions.ts: takes what a session needs to know from the call.
import type { Query } from '#postgres/statement.ts'
import type { Accounts, Call } from './action.ts'
import { sessionJson, startSession, type SignIn, type SignInMethod } from './sessions.ts'
import type { User } from './users.ts'

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

/** The session as clients read it, its access token freshly signed. */
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
