// Assembles the auth service and runs one action per request. Its routes are in routes.ts.
import type { Logger } from 'pino'
import { constantTimeResponse } from '#auth/flows/constant-time-response.ts'
import { createHousekeeping } from '#auth/flows/housekeeping.ts'
import { createRateLimits } from '#auth/flows/rate-limits.ts'
import { createMailOutbox, type WaitingMail } from '#auth/mail/mail-outbox.ts'
import type { MailContent } from '#auth/mail/mail-templates.ts'
import { createSmtpTransport, type MailTransport } from '#auth/mail/mail-transport.ts'
import { createMailboxAccess } from '#auth/mail/mailbox-access.ts'
import { createMailbox } from '#auth/mail/mailbox.ts'
import type { Mail } from '#auth/mail/mailbox-page.ts'
import { createPasswords } from '#auth/passwords/passwords.ts'
import type { AccessTokens } from '#http/access-tokens.ts'
import { addressGroup } from '#http/client-address.ts'
import type { Clock } from '#http/clock.ts'
import type { Handler } from '#http/context.ts'
import type { Database } from '#postgres/database.ts'
import type { Accounts, Call } from './context.ts'
import { authErrors } from './errors.ts'
import { findRoute } from './routes.ts'
import { completeSettings, type AuthOptions } from './settings.ts'

export type AuthService = {
  /** Everything below /auth/v1. */
  handle: Handler
  /** The pages below /_mail; null when mail is sent over SMTP or access to the mailbox is disabled. */
  mailbox: Handler | null
  mail: {
    /** Contents of the built-in mailbox, newest first. */
    messages(): Mail[]
    /** Queues a mail of the caller's own; delivered, and retried, like those about accounts. */
    send(mail: MailContent & { to: string }): Promise<void>
    /** What did not go out. */
    waiting(): Promise<WaitingMail>
    /** Connects to the mail server without sending anything. @returns what it complains about; it may quote addresses */
    complaint(): Promise<string | null>
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
  const database = parts.database.asService(
    'auth',
    'manages accounts before and outside of any session',
  )
  const from = { name: settings.productName, address: settings.mailFrom }
  const limits = createRateLimits(database, parts.clock, settings.rateLimitFactor)
  const access =
    settings.mailbox &&
    createMailboxAccess(settings.mailbox, { database, limits, siteUrl: settings.siteUrl })
  const mailbox = settings.smtpUrl ? null : createMailbox(access ?? null)
  const transport: MailTransport = mailbox ?? createSmtpTransport(settings.smtpUrl ?? '', from)
  const accounts: Accounts = {
    database,
    tokens: parts.tokens,
    settings,
    passwords: createPasswords(),
    limits,
    outbox: createMailOutbox({
      database,
      transport,
      clock: parts.clock,
      log: parts.log,
      onGivenUp: settings.onMailGivenUp,
    }),
  }
  const housekeeping = createHousekeeping(database, parts.clock, parts.log)
  // Mails left in the outbox by an earlier process.
  void accounts.outbox.deliver()

  return {
    handle: (request, context) => respond(request, context, accounts),
    mailbox: mailbox?.handle ?? null,
    mail: {
      messages: () => mailbox?.messages() ?? [],
      async send(mail) {
        const { outbox } = accounts
        await outbox.enqueue(
          (statement) => database.query(statement),
          mail,
          new Date(parts.clock.now()),
        )
        await outbox.afterCommit()
      },
      waiting: () => accounts.outbox.describeWaiting(),
      complaint: async () => {
        try {
          await transport.check?.()
          return null
        } catch (error) {
          return (error as Error).message
        }
      },
    },
    async close() {
      housekeeping.close()
      await Promise.all([accounts.outbox.close(), accounts.passwords.close()])
    },
  }
}

async function respond(
  request: Request,
  context: Parameters<Handler>[1],
  accounts: Accounts,
): Promise<Response> {
  const url = new URL(request.url)
  const { route, id, innerId } = findRoute(request.method, url)
  if (route.limit) {
    const wait = await accounts.limits.use(route.limit, addressGroup(context.clientAddress))
    if (wait > 0) throw authErrors.tooManyRequests(wait)
  }
  const now = new Date(context.clock.now())
  const call: Call = { ...context, request, url, id, innerId, now, hasEnqueuedMail: false }
  const act = async () => {
    const response = await route.action(call, accounts)
    if (call.hasEnqueuedMail) await accounts.outbox.afterCommit()
    return response
  }
  return route.isConstantTime
    ? constantTimeResponse(accounts.settings.minResponseMilliseconds, act)
    : act()
}
