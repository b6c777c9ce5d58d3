// Everything the accounts service answers to, one line each.
import type { Action } from './action.ts'
import { createUser } from './admin-create-user.ts'
import { deleteUser } from './admin-delete-user.ts'
import { adminReadUser, listUsers } from './admin-read-users.ts'
import { adminUpdateUser } from './admin-update-user.ts'
import { authErrors } from './errors.ts'
import { exchangeCode } from './exchange-code.ts'
import { generateLink } from './generate-link.ts'
import { inviteUser } from './invite-user.ts'
import {
  refuseFactor,
  refuseIdToken,
  refuseLinking,
  refusePasskey,
  refuseProvider,
  refuseSingleSignOn,
  refuseWeb3,
} from './left-out.ts'
import { endSession, listSessions } from './list-sessions.ts'
import type { LimitName } from './rate-limits.ts'
import { readHealth, readKeySet, readSettings } from './read-settings.ts'
import { readUser } from './read-user.ts'
import { reauthenticate } from './reauthenticate.ts'
import { refreshSession } from './refresh-session.ts'
import { resendMail } from './resend-mail.ts'
import { sendResetMail } from './send-reset-mail.ts'
import { sendSignInMail } from './send-sign-in-mail.ts'
import { signInWithPassword } from './sign-in-with-password.ts'
import { signOut } from './sign-out.ts'
import { signUp } from './sign-up.ts'
import { updateUser } from './update-user.ts'
import { verifyLink } from './verify-link.ts'
import { verifyToken } from './verify-token.ts'

export type Route = {
  action: Action
  /** Counts requests of one network address. */
  limit?: LimitName
  /** Takes the same time whether there is an account or not. */
  isEven?: boolean
}

const routes: Record<string, Route> = {
  'POST /signup': { action: signUp, limit: 'signUp', isEven: true },
  'POST /token?password': { action: signInWithPassword, limit: 'signIn' },
  'POST /token?refresh_token': { action: refreshSession, limit: 'refresh' },
  'POST /token?pkce': { action: exchangeCode, limit: 'signIn' },
  'POST /token?id_token': { action: refuseIdToken },
  'POST /token?web3': { action: refuseWeb3 },
  'GET /verify': { action: verifyLink, limit: 'verify' },
  'POST /verify': { action: verifyToken, limit: 'verify' },
  'POST /recover': { action: sendResetMail, limit: 'mail', isEven: true },
  'POST /resend': { action: resendMail, limit: 'mail', isEven: true },
  'POST /otp': { action: sendSignInMail, limit: 'mail', isEven: true },
  'POST /magiclink': { action: sendSignInMail, limit: 'mail', isEven: true },
  'GET /reauthenticate': { action: reauthenticate, limit: 'mail' },
  'GET /user': { action: readUser },
  'PUT /user': { action: updateUser, limit: 'update' },
  'POST /logout': { action: signOut },
  'GET /sessions': { action: listSessions },
  'DELETE /sessions/{id}': { action: endSession },

  'GET /settings': { action: readSettings },
  'GET /health': { action: readHealth },
  'GET /.well-known/jwks.json': { action: readKeySet },

  'POST /invite': { action: inviteUser },
  'POST /admin/generate_link': { action: generateLink },
  'GET /admin/users': { action: listUsers },
  'POST /admin/users': { action: createUser },
  'GET /admin/users/{id}': { action: adminReadUser },
  'PUT /admin/users/{id}': { action: adminUpdateUser },
  'DELETE /admin/users/{id}': { action: deleteUser },

  'GET /authorize': { action: refuseProvider },
  'POST /sso': { action: refuseSingleSignOn },
  'POST /factors': { action: refuseFactor },
  'GET /user/identities/authorize': { action: refuseLinking },
  'DELETE /user/identities/{id}': { action: refuseLinking },
  'POST /passkeys/authentication/options': { action: refusePasskey },
  'POST /passkeys/registration/options': { action: refusePasskey },
}

const ID_IN_PATH = /\/(users|sessions|identities)\/([^/]+)$/

/** @throws 404 or 405 */
export function findRoute(method: string, url: URL): { route: Route; id: string } {
  const path = url.pathname.replace(/^\/auth\/v1/, '').replace(/\/+$/, '')
  const exact = routes[`${method} ${path}`]
  if (exact) return { route: exact, id: '' }
  if (path === '/token' && method === 'POST') {
    const route = routes[`POST /token?${url.searchParams.get('grant_type') ?? ''}`]
    if (!route) throw authErrors.unsupportedGrant()
    return { route, id: '' }
  }
  const shape = path.replace(ID_IN_PATH, '/$1/{id}')
  const route = routes[`${method} ${shape}`]
  if (route) return { route, id: ID_IN_PATH.exec(path)?.[2] ?? '' }
  const isKnown = Object.keys(routes).some((each) => each.endsWith(` ${shape}`))
  throw isKnown ? authErrors.methodNotAllowed() : authErrors.routeNotFound()
}
