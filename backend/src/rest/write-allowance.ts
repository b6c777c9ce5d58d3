import type { Caller } from '#http/caller.ts'
import { createRateLimit } from '#http/rate-window.ts'
import { ServiceError } from '#http/service-error.ts'
import { sessionShareOf } from '#postgres/caller-share.ts'
import { isSessionRefused, restErrors } from './errors.ts'
import { LIMITS } from './limits.ts'
import type { Plan } from './plan/plan-types.ts'
import type { QueryOutcome } from './query/run-query.ts'
import type { ParsedRequest } from './request/parse-request.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * Counts what each member writes, so that nobody fills the disk or floods a chat. Kept in this process. What is refused because the
 * session has ended or owes a second factor counts for that session alone: a token that is good for nothing must not keep its
 * owner from writing.
 */
export type WriteAllowance = {
  /**
   * Runs a request and counts what it writes.
   * @param execute gets the number of rows it may change
   * @throws wroteTooMuch before it runs
   */
  run(
    parsed: ParsedRequest,
    plan: Plan,
    caller: Caller,
    execute: (mostRows: number) => Promise<QueryOutcome>,
  ): Promise<QueryOutcome>
}

export function createWriteAllowance(): WriteAllowance {
  const bySession = createRateLimit({ limit: LIMITS.writtenBytesPerMinute, windowMs: MINUTE_MS })
  const perMinute = createRateLimit({ limit: LIMITS.writtenBytesPerMinute, windowMs: MINUTE_MS })
  const perDay = createRateLimit({ limit: LIMITS.writtenBytesPerDay, windowMs: DAY_MS })

  /** How long the member must wait before writing so much more. */
  function waitFor(member: string, session: string, bytes: number) {
    if (!bySession(session, bytes) || !perMinute.hasRoom(member, bytes)) return MINUTE_MS
    return perDay.hasRoom(member, bytes) ? 0 : DAY_MS
  }

  function count(member: string, bytes: number) {
    perMinute(member, bytes)
    perDay(member, bytes)
  }

  return {
    async run(parsed, plan, caller, execute) {
      if (plan.readOnly || caller.role === 'service_role') return execute(Number.MAX_SAFE_INTEGER)
      const { sub: member = '' } = caller.claims
      const bytes = writtenBytes(parsed)
      const waitMs = waitFor(member, sessionShareOf(caller), bytes)
      if (waitMs > 0) throw restErrors.wroteTooMuch(waitMs / 1000)
      const isOfMany = ['update', 'delete'].includes(parsed.action.kind)
      // No more than a minute's allowance.
      const mostRows = isOfMany
        ? Math.min(LIMITS.changedRows, Math.floor(LIMITS.writtenBytesPerMinute / bytes))
        : Number.MAX_SAFE_INTEGER
      try {
        const outcome = await execute(mostRows)
        count(member, isOfMany ? Math.max(1, outcome.shown) * bytes : bytes)
        return outcome
      } catch (error) {
        if (!isSessionRefused(error))
          count(member, isOfMany && wasUndone(error) ? (1 + mostRows) * bytes : bytes)
        throw error
      }
    },
  }
}

/**
 * What a write counts as: its values and an amount for each row, which costs more than its values (indexes, the log and the
 * notifications it causes). An update or a delete counts as its first row; a call as one, and its lists by their length,
 * since a function writes about as many small rows.
 */
function writtenBytes({ body, action }: ParsedRequest): number {
  const parsed = body?.kind === 'json' ? body.parsed : null
  const rows = Array.isArray(parsed) ? parsed.length : 1
  const elements = action.kind === 'call' && parsed ? countElements(parsed) : 0
  return valueBytes(body) + rows * LIMITS.writtenRowBytes + elements * LIMITS.writtenElementBytes
}

function countElements(args: object): number {
  return Object.values(args).reduce(
    (sum: number, value) => sum + (Array.isArray(value) ? value.length : 0),
    0,
  )
}

function valueBytes(body: ParsedRequest['body']): number {
  if (body === null) return 0
  if (body.kind !== 'form') return Buffer.byteLength(body.text)
  return body.pairs.reduce((sum, { name, value }) => sum + name.length + value.length, 0)
}

/** Rows were written and then undone: too many, or not in time. Postgres keeps them until it cleans up. */
function wasUndone(error: unknown): boolean {
  return error instanceof ServiceError && ['PGRST124', '57014'].includes(error.code)
}
