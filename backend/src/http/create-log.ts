import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { createLineLimit } from './limited-lines.ts'

/** A JSON-lines logger. Of errors it logs only selected fields, because attached objects may contain secrets. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    hooks: { logMethod: createLineLimit() },
    serializers: { err: (error: unknown) => describeError(error) },
  }
  return destination ? pino(options, destination) : pino(options)
}

const MESSAGE_CHARACTERS = 500
const MAX_CAUSE_DEPTH = 3
/**
 * SQLSTATE classes whose messages quote values: data exceptions, constraint violations, and errors raised by functions.
 * Codes outside Postgres' own classes also come from functions.
 */
const QUOTES_VALUES = /^(22|23|P|[^0-9FHX])/

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error).slice(0, MESSAGE_CHARACTERS)
  const { name, cause } = error
  const { code, table, constraint } = error as Error &
    Partial<Record<'code' | 'table' | 'constraint', unknown>>
  return {
    name,
    message: messageOf(error),
    code,
    table,
    constraint,
    stack: framesOf(error),
    ...(cause && depth < MAX_CAUSE_DEPTH ? { cause: describeError(cause, depth + 1) } : {}),
  }
}

function messageOf(error: Error): string | undefined {
  const isFromPostgres = 'severity' in error && 'code' in error
  if (isFromPostgres && QUOTES_VALUES.test(String(error.code))) return undefined
  // JSON.parse quotes its input.
  if (error instanceof SyntaxError) return undefined
  return error.message.slice(0, MESSAGE_CHARACTERS)
}

/** The stack without its leading message. */
function framesOf({ stack }: Error): string {
  return (stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
