// Puts the accounts service together and runs one action per request. What it answers to is in route-table.ts.
import type { Logger } from 'pino'
import type { AccessTokens } from '#http/access-tokens.ts'
import type { Clock } from '#http/clock.ts'
import type { Handler } from '#http/context.ts'
import type { Database } from '#postgres/database.ts'
import type { Accounts, Call } from './action.ts'
import { authErrors } from './errors.ts'
import { answerEvenly } from './even-answer.ts'
import { createHousekeeping } from './housekeeping.ts'
import { createMailbox, type Mail } from './mailbox.ts'
import { createMailOutbox } from './mail-outbox.ts'
import { createSmtpTransport } from './mail-transport.ts'
import { createPasswords } from './passwords.ts'
import { addressGroup, createRateLimits } from './rate-limits.ts'
import { findRoute } from './route-table.ts'
import { completeSettings, type AuthOptions } from './settings.ts'

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
  const housekeeping = createHousekeeping(database, parts.clock, parts.log)
  // Mails that an earlier process left behind.
  void accounts.outbox.deliver()

  return {
    handle: (request, context) => answer(request, context, accounts),
    mailbox: mailbox?.handle ?? null,
    mail: { messages: () => mailbox?.messages() ?? [] },
    async close() {
      housekeeping.close()
      await Promise.all([accounts.outbox.close(), accounts.passwords.close()])
    },
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
  const act = async () => {
    const response = await route.action(call, accounts)
    if (call.hasWrittenMail) await accounts.outbox.afterCommit()
    return response
  }
  return route.isEven ? answerEvenly(accounts.settings.evenAnswerMilliseconds, act) : act()
}
