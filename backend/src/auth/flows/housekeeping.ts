// Periodically deletes expired rows. Safe to run in several processes.
import type { Logger } from 'pino'
import { LIMITS } from '#auth/limits.ts'
import { IS_UNPROVEN } from '#auth/flows/pending-sign-ups.ts'
import type { Clock } from '#http/clock.ts'
import type { ServiceDatabase } from '#postgres/database.ts'

const FIRST_DELAY_MS = 60_000
const INTERVAL_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

/** Keeps the parent of the unused token: a client that lost a response may still present it. */
const EXPIRED = [
  `delete from auth.refresh_tokens old where old.revoked and old.updated_at < $1 and not exists (
     select from auth.refresh_tokens next where next.parent = old.token and not next.revoked
   )`,
  `delete from auth.sessions where not_after < $1`,
  `delete from auth.one_time_tokens where expires_at < $1`,
  `delete from auth.flow_state f where f.created_at < $1
     and not exists (select from auth.one_time_tokens t where t.flow_state = f.id)`,
  `delete from auth.mfa_challenges where created_at < $1`,
  `delete from auth.mfa_factors where status = 'unverified' and created_at < $1`,
  `delete from auth_service.rate_limits where busy_until < $1`,
]
/** An undeliverable mail is kept for a week, for support. */
const OLD_MAILS = `delete from auth_service.mail_outbox where given_up_at < $1`
/** Long enough to investigate an incident; no longer, because it contains network addresses. */
const OLD_AUDIT_LOG = `delete from auth.audit_log_entries where created_at < $1`
const AUDIT_LOG_DAYS = 90
/** Deletes unconfirmed sign-ups with their account; keeps invitations and accounts created by trusted servers. */
const EXPIRED_SIGN_UPS = `
  delete from auth.users u
  where ${IS_UNPROVEN}
    and not exists (
      select from auth_service.pending_sign_ups p where p.user_id = u.id and p.created_at >= $1
    )`

export type Housekeeping = { cleanUp(): Promise<void>; close(): void }

export function createHousekeeping(
  database: ServiceDatabase,
  clock: Clock,
  log: Logger,
): Housekeeping {
  let timer = setTimeout(run, FIRST_DELAY_MS)
  timer.unref()

  async function cleanUp() {
    const daysAgo = (days: number) => new Date(clock.now() - days * DAY_MS)
    for (const text of EXPIRED) await database.query({ text, values: [daysAgo(1)] })
    await database.query({ text: OLD_MAILS, values: [daysAgo(7)] })
    await database.query({
      text: EXPIRED_SIGN_UPS,
      values: [new Date(clock.now() - LIMITS.pendingSignUpMs)],
    })
    await database.query({ text: OLD_AUDIT_LOG, values: [daysAgo(AUDIT_LOG_DAYS)] })
  }

  function run() {
    cleanUp().catch((error: unknown) =>
      log.error({ err: error }, 'could not delete expired auth rows'),
    )
    timer = setTimeout(run, INTERVAL_MS)
    timer.unref()
  }

  return { cleanUp, close: () => clearTimeout(timer) }
}
