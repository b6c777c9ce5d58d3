// The table of what the accounts service answers to, and the factory that puts the service together.
import type { Logger } from 'pino'
import type { AccessTokens } from '#http/access-tokens.ts'
import type { Clock } from '#http/clock.ts'
import type { Handler } from '#http/context.ts'
import type { Database } from '#postgres/database.ts'
import type { Accounts, Action, Call } from './action.ts'
import { authErrors } from './errors.ts'
import { exchangeCode } from './exchange-code.ts'
import { createMailbox, type Mail } from './mailbox.ts'
import { createMailOutbox } from './mail-outbox.ts'
import { createSmtpTransport } from './mail-transport.ts'
import { createPasswords } from './passwords.ts'
import { addressGroup, createRateLimits, type LimitName } from './rate-limits.ts'
import { readHealth, readKeySet, readSettings } from './read-settings.ts'
import { readUser } from './read-user.ts'
import { refreshSession } from './refresh-session.ts'
import { completeSettings, type AuthOptions } from './settings.ts'
import { signInWithPassword } from './sign-in-with-password.ts'
import { signOut } from './sign-out.ts'
import { signUp } from './sign-up.ts'
import { verifyLink } from './verify-link.ts'
import { verifyToken } from './verify-token.ts'

/** `limit` counts requests of one network address. */
type Route = { action: Action; limit?: LimitName }

const routes: Record<string, Route> = {
  'POST /signup': { action: signUp, limit: 'signUp' },
  'POST /token?password': { action: signInWithPassword, limit: 'signIn' },
  'POST /token?refresh_token': { action: refreshSession, limit: 'refresh' },
  'POST /token?pkce': { action: exchangeCode, limit: 'signIn' },
  'GET /verify': { action: verifyLink, limit: 'verify' },
  'POST /verify': { action: verifyToken, limit: 'verify' },
  'GET /user': { action: readUser },
  'POST /logout': { action: signOut },
  'GET /settings': { action: readSettings },
  'GET /health': { action: readHealth },
  'GET /.well-known/jwks.json': { action: readKeySet },
}

export type AuthService = {
  /** Everything below /auth/v1. */
  handle: Handler
  /** The pages below /_mail; null when mails go to a mail server. */
  mailbox: Handler | null
  mail: {
    /** What the built-in mailbox holds, newest first. */
    messages(): Mail[]
  }
  close(): Promise<void>
}

export type AuthServiceParts = {
  database: Database
  tokens: AccessTokens
  settings: AuthOptions
  clock: Clock
  log: Logger
}

export function createAuthService(parts: AuthServiceParts): AuthService {
  const settings = completeSettings(parts.settings)
  const database = parts.database.asService('auth', 'accounts belong to no member yet')
  const from = { name: settings.productName, address: settings.mailFrom }
  const mailbox = settings.smtpUrl ? null : createMailbox()
  const transport = mailbox ?? createSmtpTransport(settings.smtpUrl ?? '', from)
  const accounts: Accounts = {
    database,
    tokens: parts.tokens,
    settings,
    passwords: createPasswords(),
    limits: createRateLimits(database, parts.clock, settings.rateLimitFactor),
    outbox: createMailOutbox({ database, transport, clock: parts.clock, log: parts.log }),
  }
  // Mails that an earlier process left behind.
  void accounts.outbox.deliver()

  return {
    handle: (request, context) => answer(request, context, accounts),
    mailbox: mailbox?.handle ?? null,
    mail: { messages: () => mailbox?.messages() ?? [] },
    close: () => accounts.outbox.close(),
  }
}

async function answer(
  request: Request,
  context: Parameters<Handler>[1],
  accounts: Accounts,
): Promise<Response> {
  const url = new URL(request.url)
  const { route, id } = findRoute(request.method, url)
  if (route.limit) {
    const wait = await accounts.limits.use(route.limit, addressGroup(context.clientAddress))
    if (wait > 0) throw authErrors.tooManyRequests(wait)
  }
  const now = new Date(context.clock.now())
  const call: Call = { ...context, request, url, id, now, hasWrittenMail: false }
  const response = await route.action(call, accounts)
  if (call.hasWrittenMail) await accounts.outbox.afterCommit()
  return response
}

const ID_IN_PATH = /\/(users|sessions)\/([^/]+)$/

function findRoute(method: string, url: URL): { route: Route; id: string } {
  const path = url.pathname.replace(/^\/auth\/v1/, '').replace(/\/+$/, '')
  const id = ID_IN_PATH.exec(path)?.[2] ?? ''
  const shape = path.replace(ID_IN_PATH, '/$1/{id}')
  if (shape === '/token' && method === 'POST') {
    const route = routes[`POST /token?${url.searchParams.get('grant_type') ?? ''}`]
    if (!route) throw authErrors.unsupportedGrant()
    return { route, id }
  }
  const route = routes[`${method} ${shape}`]
  if (route) return { route, id: decodeURIComponent(id) }
  const isKnown = Object.keys(routes).some((each) => each.endsWith(` ${shape}`))
  throw isKnown ? authErrors.methodNotAllowed() : authErrors.routeNotFound()
}
