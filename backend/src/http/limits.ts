export const LIMITS = {
  /** Log lines with the same message that warn or describe an error, in every `logWindowMs`. */
  logLinesPerKind: 10,
  logWindowMs: 60_000,
  /** Verified access tokens kept by one process, and the largest of them; others are verified at each request. */
  verifiedTokensBytes: 48 * 1024 * 1024,
  verifiedTokenBytes: 16 * 1024,
  /** A body without a session, uploads and requests to Auth excepted. */
  anonymousBodyBytes: 16 * 1024,
  /** A body for an Edge Function: a hundred people to invite, in any script. */
  functionBodyBytes: 128 * 1024,
  /** What larger bodies add up to in a minute, of one session and of all of an account; smaller ones cost no more than their request. */
  countedBodyBytes: 16 * 1024,
  sentBytesPerMinute: 16 * 1024 * 1024,
  accountSentBytesPerMinute: 32 * 1024 * 1024,
  /** Refusals that cost no turn at the database; beyond them in a second, each takes a while. */
  refusalsPerSecond: 50,
  accountRefusalsPerSecond: 100,
  refusalDelayMs: 500,
  /** Of JSON that a caller sent: levels of nesting, names of one object, and names, lists and objects in all. */
  jsonDepth: 100,
  jsonNames: 1_000,
  jsonParts: 50_000,
} as const
