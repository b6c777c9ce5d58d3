// What a client can cause at will must not fill the disk: of the lines of one kind (with one message) that warn or
// describe an error, a few are written each minute, and then how many more there were.
import type { LogFn, Logger } from 'pino'
import { LIMITS } from './limits.ts'

const WARN = 40

type Line = [first: unknown, message?: unknown]
type Kind = { count: number }

/** Pino's `logMethod`. Messages are constants of the code, so there are few kinds. */
export function createLineLimit() {
  const kinds = new Map<string, Kind>()

  function begin(key: string, report: (leftOut: number) => void): Kind {
    const kind = { count: 0 }
    kinds.set(key, kind)
    setTimeout(() => {
      kinds.delete(key)
      if (kind.count > LIMITS.logLinesPerKind) report(kind.count - LIMITS.logLinesPerKind)
    }, LIMITS.logWindowMs).unref()
    return kind
  }

  return function (this: Logger, args: Parameters<LogFn>, write: LogFn, level: number): void {
    const [first, second] = args as unknown as Line
    if (level < WARN && !describesError(first)) return write.apply(this, args)
    const message = String(typeof first === 'string' ? first : second)
    const key = `${level} ${message}`
    const kind = kinds.get(key) ?? begin(key, (leftOut) => write.call(this, { leftOut }, message))
    kind.count++
    if (kind.count <= LIMITS.logLinesPerKind) write.apply(this, args)
  }
}

function describesError(first: unknown): boolean {
  return typeof first === 'object' && first !== null && 'err' in first
}
