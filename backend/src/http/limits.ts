export const LIMITS = {
  /** Log lines with the same message that warn or describe an error. @refusal One line says how many were left out */
  logLinesPerKind: 10,
  /** The time in which they are counted. */
  logWindowMs: 60_000,
  /** Access tokens that one process keeps verified. @refusal The oldest goes */
  verifiedTokensBytes: 48 * 1024 * 1024,
  /** One of them; 5 KiB of claims. @refusal Verified at each request */
  verifiedTokenBytes: 16 * 1024,
  /** A body without a session, uploads and Auth excepted. @refusal 413 */
  anonymousBodyBytes: 16 * 1024,
  // A hundred people to invite, in any script.
  /** A body for an Edge Function. @refusal 413 */
  functionBodyBytes: 128 * 1024,
  // A smaller one costs no more than its request.
  /** A body that does not count for `sentBytesPerMinute` and `accountSentBytesPerMinute`. */
  countedBodyBytes: 16 * 1024,
  /**
   * What the larger bodies of a session add up to in a minute, uploads excepted, also of what writes nothing or is refused.
   * @refusal 429 `PGRSTX02` with `Retry-After`
   */
  sentBytesPerMinute: 16 * 1024 * 1024,
  /** The same of all sessions of an account. @refusal 429 `PGRSTX02` with `Retry-After` */
  accountSentBytesPerMinute: 32 * 1024 * 1024,
  /**
   * Refusals that a session, or an address without one, gets at once without a turn at the database.
   * @refusal `refusalDelayMs`
   */
  refusalsPerSecond: 50,
  /** The same for the sessions of an account together. @refusal `refusalDelayMs` */
  accountRefusalsPerSecond: 100,
  /** How long each further one of that second takes. */
  refusalDelayMs: 500,
  /**
   * Levels of nesting of JSON, but for rows written with the secret key.
   * @refusal 400; 422 from Realtime; a frame gets no reply
   */
  jsonDepth: 100,
  /** Names of one object of such JSON. @refusal As above */
  jsonNames: 1_000,
  /** Names, lists and objects of JSON, but for rows written with the secret key. @refusal As above */
  jsonParts: 50_000,
} as const
