// Throws away what nobody can use any more. Several processes may do it at once; each finds less to do.
import type { Logger } from 'pino'
import type { Clock } from '#http/clock.ts'
import type { ServiceDatabase } from '#postgres/database.ts'

const FIRST_AFTER_MS = 60_000
const EVERY_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

/** Keeps the last token before the unused one: a client that lost an answer may still come back with it. */
const USELESS = [
  `delete from auth.refresh_tokens old where old.revoked and old.updated_at < $1 and not exists (
     select from auth.refresh_tokens next where next.parent = old.token and not next.revoked
   )`,
  `delete from auth.sessions where not_after < $1`,
  `delete from auth.one_time_tokens where expires_at < $1`,
  `delete from auth.flow_state where created_at < $1`,
  `delete from auth_service.rate_limits where busy_until < $1`,
]
/** A mail that was given up stays for a week, for whoever asks what became of it. */
const OLD_MAILS = `delete from auth_service.mail_outbox where given_up_at < $1`
/** Long enough to look into what happened to an account; no longer, because it says who was where. */
const OLD_AUDIT_LOG = `delete from auth.audit_log_entries where created_at < $1`
const AUDIT_LOG_DAYS = 90

export type Housekeeping = { tidy(): Promise<void>; close(): void }

export function createHousekeeping(
  database: ServiceDatabase,
  clock: Clock,
  log: Logger,
): Housekeeping {
  let timer = setTimeout(run, FIRST_AFTER_MS)
  timer.unref()

  async function tidy() {
    const daysAgo = (days: number) => new Date(clock.now() - days * DAY_MS)
    for (const text of USELESS) await database.query({ text, values: [daysAgo(1)] })
    await database.query({ text: OLD_MAILS, values: [daysAgo(7)] })
    await database.query({ text: OLD_AUDIT_LOG, values: [daysAgo(AUDIT_LOG_DAYS)] })
  }

  function run() {
    tidy().catch((error: unknown) => log.error({ err: error }, 'accounts cannot be tidied'))
    timer = setTimeout(run, EVERY_MS)
    timer.unref()
  }

  return { tidy, close: () => clearTimeout(timer) }
}
