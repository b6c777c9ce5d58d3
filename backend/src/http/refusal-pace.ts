import { setTimeout as delay } from 'node:timers/promises'
import { sessionShareOf, shareOf } from '#postgres/caller-share.ts'
import { addressGroup } from './client-address.ts'
import type { Context } from './context.ts'
import { LIMITS } from './limits.ts'
import { createRateLimit } from './rate-window.ts'

export type RefusalPace = (context: Context) => Promise<void>

/**
 * For refusals that take no turn at the database, where callers wait for each other: one costs its sender next to nothing, and everybody
 * else a share of the process. Beyond `refusalsPerSecond` of a session, or of an address without one, and `accountRefusalsPerSecond` of the sessions
 * of an account together, each takes `refusalDelayMs`.
 */
export function createRefusalPace(): RefusalPace {
  const bySession = createRateLimit({ limit: LIMITS.refusalsPerSecond, windowMs: 1000 })
  const byAccount = createRateLimit({ limit: LIMITS.accountRefusalsPerSecond, windowMs: 1000 })
  return async ({ caller, clientAddress, signal }) => {
    if (caller.role === 'service_role') return
    const address = addressGroup(clientAddress)
    const counts = caller.claims.sub
      ? [bySession(sessionShareOf(caller)), byAccount(shareOf(caller, address))]
      : [bySession(address)]
    if (counts.every(Boolean)) return
    const wait = new AbortController()
    signal.addEventListener('abort', () => wait.abort())
    await delay(LIMITS.refusalDelayMs, undefined, wait).catch(() => undefined)
  }
}
