import { accessOf, sessionShareOf } from '#postgres/caller-share.ts'
import type { Caller } from './caller.ts'
import { LIMITS } from './limits.ts'
import { createRateLimit } from './rate-window.ts'

const WINDOW_MS = 60_000
/** After which a refused caller may send again. */
export const SENT_AGAIN_S = WINDOW_MS / 1000

/**
 * Counts the larger bodies, also of what is refused in the end: parsing them takes time. By session, as a token that is good for nothing
 * uses up nobody's; and those of an account's sessions together, once the database has let them in.
 * @returns whether the caller may send this one
 */
export function createSentAllowance(): (caller: Caller, bytes: number) => boolean {
  const bySession = createRateLimit({ limit: LIMITS.sentBytesPerMinute, windowMs: WINDOW_MS })
  const byAccount = createRateLimit({
    limit: LIMITS.accountSentBytesPerMinute,
    windowMs: WINDOW_MS,
  })
  return (caller, bytes) => {
    if (caller.role === 'service_role' || bytes <= LIMITS.countedBodyBytes) return true
    if (!bySession(sessionShareOf(caller), bytes)) return false
    return accessOf(caller) !== 'admitted' || byAccount(caller.claims.sub ?? '', bytes)
  }
}
