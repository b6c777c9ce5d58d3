// The routes of the auth service.
import { adminDeleteFactor, adminListFactors } from '#auth/endpoints/admin-factors.ts'
import { createUser } from '#auth/endpoints/admin-create-user.ts'
import { deleteUser } from '#auth/endpoints/admin-delete-user.ts'
import { adminReadUser, listUsers } from '#auth/endpoints/admin-read-users.ts'
import { adminUpdateUser } from '#auth/endpoints/admin-update-user.ts'
import {
  refuseIdToken,
  refuseLinking,
  refusePasskey,
  refuseProvider,
  refuseSingleSignOn,
  refuseWeb3,
} from '#auth/endpoints/disabled-features.ts'
import { challengeFactor } from '#auth/endpoints/challenge-factor.ts'
import { enrollFactor } from '#auth/endpoints/enroll-factor.ts'
import { exchangeCode } from '#auth/endpoints/exchange-code.ts'
import { generateLink } from '#auth/endpoints/generate-link.ts'
import { inviteUser } from '#auth/endpoints/invite-user.ts'
import { endSession, listSessions } from '#auth/endpoints/list-sessions.ts'
import { readHealth, readKeySet, readSettings } from '#auth/endpoints/read-settings.ts'
import { readUser } from '#auth/endpoints/read-user.ts'
import { reauthenticate } from '#auth/endpoints/reauthenticate.ts'
import { refreshSession } from '#auth/endpoints/refresh-session.ts'
import { resendMail } from '#auth/endpoints/resend-mail.ts'
import { sendResetMail } from '#auth/endpoints/send-reset-mail.ts'
import { sendSignInMail } from '#auth/endpoints/send-sign-in-mail.ts'
import { signInWithPassword } from '#auth/endpoints/sign-in-with-password.ts'
import { signOut } from '#auth/endpoints/sign-out.ts'
import { signUp } from '#auth/endpoints/sign-up.ts'
import { unenrollFactor } from '#auth/endpoints/unenroll-factor.ts'
import { updateUser } from '#auth/endpoints/update-user.ts'
import { verifyFactor } from '#auth/endpoints/verify-factor.ts'
import { verifyLink } from '#auth/endpoints/verify-link.ts'
import { verifyToken } from '#auth/endpoints/verify-token.ts'
import type { RateName } from '#auth/flows/rate-limits.ts'
import type { Action } from './context.ts'
import { authErrors } from './errors.ts'

export type Route = {
  action: Action
  /** Rate limit per client address. */
  limit?: RateName
  /** The response time does not reveal whether an account exists. */
  isConstantTime?: boolean
}

const routes: Record<string, Route> = {
  'POST /signup': { action: signUp, limit: 'signUp', isConstantTime: true },
  'POST /token?password': { action: signInWithPassword, limit: 'signIn' },
  'POST /token?refresh_token': { action: refreshSession, limit: 'refresh' },
  'POST /token?pkce': { action: exchangeCode, limit: 'signIn' },
  'POST /token?id_token': { action: refuseIdToken },
  'POST /token?web3': { action: refuseWeb3 },
  'GET /verify': { action: verifyLink, limit: 'verify' },
  'POST /verify': { action: verifyToken, limit: 'verify' },
  'POST /recover': { action: sendResetMail, limit: 'mail', isConstantTime: true },
  'POST /resend': { action: resendMail, limit: 'mail', isConstantTime: true },
  'POST /otp': { action: sendSignInMail, limit: 'mail', isConstantTime: true },
  'POST /magiclink': { action: sendSignInMail, limit: 'mail', isConstantTime: true },
  'GET /reauthenticate': { action: reauthenticate, limit: 'mail' },
  'GET /user': { action: readUser },
  'PUT /user': { action: updateUser, limit: 'update', isConstantTime: true },
  'POST /logout': { action: signOut },
  'GET /sessions': { action: listSessions },
  'DELETE /sessions/{id}': { action: endSession },

  'POST /factors': { action: enrollFactor, limit: 'factor' },
  'POST /factors/{id}/challenge': { action: challengeFactor, limit: 'factor' },
  'POST /factors/{id}/verify': { action: verifyFactor, limit: 'factor' },
  'DELETE /factors/{id}': { action: unenrollFactor, limit: 'factor' },

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
  'GET /admin/users/{id}/factors': { action: adminListFactors },
  'DELETE /admin/users/{id}/factors/{id}': { action: adminDeleteFactor },

  'GET /authorize': { action: refuseProvider },
  'POST /sso': { action: refuseSingleSignOn },
  'GET /user/identities/authorize': { action: refuseLinking },
  'DELETE /user/identities/{id}': { action: refuseLinking },
  'POST /passkeys/authentication/options': { action: refusePasskey },
  'POST /passkeys/registration/options': { action: refusePasskey },
}

const ID_IN_PATH = /\/(users|sessions|identities|factors)\/([^/]+)/g

type FoundRoute = { route: Route; id: string; innerId: string }

/** @throws not_found or method_not_allowed */
export function findRoute(method: string, url: URL): FoundRoute {
  const path = url.pathname.replace(/^\/auth\/v1/, '').replace(/\/+$/, '')
  const exact = routes[`${method} ${path}`]
  if (exact) return { route: exact, id: '', innerId: '' }
  if (path === '/token' && method === 'POST') {
    const route = routes[`POST /token?${url.searchParams.get('grant_type') ?? ''}`]
    if (!route) throw authErrors.unsupportedGrant()
    return { route, id: '', innerId: '' }
  }
  const shape = path.replace(ID_IN_PATH, '/$1/{id}')
  const route = routes[`${method} ${shape}`]
  if (route) {
    const [id = '', innerId = ''] = [...path.matchAll(ID_IN_PATH)].map((match) => match[2])
    return { route, id, innerId }
  }
  const isKnown = Object.keys(routes).some((each) => each.endsWith(` ${shape}`))
  throw isKnown ? authErrors.methodNotAllowed() : authErrors.routeNotFound()
}
