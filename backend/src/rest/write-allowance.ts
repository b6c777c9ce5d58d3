import { createRateLimit } from '#http/rate-window.ts'
import { ServiceError } from '#http/service-error.ts'
import { DatabaseBusyError, RequestAbortedError } from '#postgres/errors.ts'
import { isSessionRefused, restErrors } from './errors.ts'
import { LIMITS } from './limits.ts'
import type { QueryOutcome } from './query/run-query.ts'
import type { ParsedRequest } from './request/parse-request.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Whom a write counts for. */
export type Writer = {
  share: string
  /** Whether the database has let the token in. What it refuses after all, because the session has ended, is taken back. */
  isAdmitted: boolean
}

/** Counts what each member writes, so that nobody fills the disk or floods a chat. Kept in this process. */
export type WriteAllowance = {
  /**
   * Runs a request and counts what it writes.
   * @param execute gets the number of rows it may change
   * @throws wroteTooMuch before it runs
   */
  run(
    parsed: ParsedRequest,
    writer: Writer,
    execute: (mostRows: number) => Promise<QueryOutcome>,
  ): Promise<QueryOutcome>
}

export function createWriteAllowance(): WriteAllowance {
  const perMinute = createRateLimit({ limit: LIMITS.writtenBytesPerMinute, windowMs: MINUTE_MS })
  const perDay = createRateLimit({ limit: LIMITS.writtenBytesPerDay, windowMs: DAY_MS })

  function count(share: string, bytes: number) {
    const isWithinMinute = perMinute(share, bytes)
    return perDay(share, bytes) ? (isWithinMinute ? 0 : MINUTE_MS) : DAY_MS
  }

  /** What is refused does not count: a token of a session that has ended must not keep its owner waiting with what is never written. */
  function countUnlessRefused(share: string, bytes: number) {
    const waitMs = count(share, bytes)
    if (waitMs > 0) count(share, -bytes)
    return waitMs
  }

  return {
    async run(parsed, { share, isAdmitted }, execute) {
      const bytes = writtenBytes(parsed)
      const waitMs = countUnlessRefused(share, bytes)
      if (waitMs > 0) throw restErrors.wroteTooMuch(waitMs / 1000)
      const isOfMany = ['update', 'delete'].includes(parsed.action.kind)
      // No more than a minute's allowance.
      const mostRows = isOfMany
        ? Math.min(LIMITS.changedRows, Math.floor(LIMITS.writtenBytesPerMinute / bytes))
        : Number.MAX_SAFE_INTEGER
      try {
        const outcome = await execute(mostRows)
        if (isOfMany) count(share, Math.max(0, outcome.shown - 1) * bytes)
        return outcome
      } catch (error) {
        if (neverRan(error) || (isAdmitted && isSessionRefused(error))) count(share, -bytes)
        else if (isOfMany && wasUndone(error)) count(share, mostRows * bytes)
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

/** No connection became free in time, or the client left before one did. */
function neverRan(error: unknown): boolean {
  return error instanceof DatabaseBusyError || error instanceof RequestAbortedError
}

/** Rows were written and then undone: too many, or not in time. Postgres keeps them until it cleans up. */
function wasUndone(error: unknown): boolean {
  return error instanceof ServiceError && ['PGRST124', '57014'].includes(error.code)
}
