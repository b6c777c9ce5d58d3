import { pino, type Logger } from 'pino'

/** A log of JSON lines. Of an error it keeps what helps, not the objects that hang on it: those may hold secrets. */
export function createLog(level: string): Logger {
  return pino({ level, serializers: { err: describeError } })
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack, cause } = error
  const code = (error as { code?: unknown }).code
  return { name, message, code, stack, ...(cause ? { cause: describeError(cause) } : {}) }
}
