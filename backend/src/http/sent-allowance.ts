import { accessOf, sessionShareOf } from '#postgres/caller-share.ts'
import type { Caller } from './caller.ts'
import { LIMITS } from './limits.ts'
import { createRateLimit } from './rate-window.ts'
import { ServiceError } from './service-error.ts'

const WINDOW_MS = 60_000

/** @throws ServiceError 429 */
export type CountBody = (caller: Caller, bytes: number) => void

/**
 * Counts the larger bodies before they are parsed, which takes time, also of what is refused in the end. By session, as a token that is
 * good for nothing uses up nobody's; and those of an account's sessions together, once the database has let them in.
 */
export function createSentAllowance(): CountBody {
  const bySession = createRateLimit({ limit: LIMITS.sentBytesPerMinute, windowMs: WINDOW_MS })
  const byAccount = createRateLimit({
    limit: LIMITS.accountSentBytesPerMinute,
    windowMs: WINDOW_MS,
  })
  return (caller, bytes) => {
    if (caller.role === 'service_role' || bytes <= LIMITS.countedBodyBytes) return
    if (!bySession(sessionShareOf(caller), bytes)) throw sentTooMuch()
    if (accessOf(caller) === 'admitted' && !byAccount(caller.claims.sub ?? '', bytes))
      throw sentTooMuch()
  }
}

function sentTooMuch(): ServiceError {
  return new ServiceError({
    status: 429,
    code: 'PGRSTX02',
    message: 'You sent too much in a short time. Try again later.',
    headers: { 'retry-after': String(WINDOW_MS / 1000) },
  })
}
