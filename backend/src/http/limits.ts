export const LIMITS = {
  /** Log lines with the same message that warn or describe an error, in every `logWindowMs`. */
  logLinesPerKind: 10,
  logWindowMs: 60_000,
} as const
