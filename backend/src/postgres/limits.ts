// Limits of the database connections. docs/limits.md shows the response for each.
export const LIMITS = {
  /** What Postgres may send for one request. A second line of defense: the services limit their own responses. */
  answerBytes: 32 * 1024 * 1024,
  /** Requests that may wait for a connection, per pool. */
  waitingRequests: 1000,
  waitingRequestsPerCaller: 200,
  waitingAnonymousRequests: 250,
  waitMs: 10_000,
  /** Concurrent statements that are new or were slow last time, per member, or for all anonymous callers together. */
  slowStatementsPerCaller: 2,
  /** Of all callers together. Fewer than the connections, so that fast statements always find one. */
  slowStatements: 10,
  /** While so many run, each caller gets one. */
  slowStatementsUntilShared: 6,
  /** A statement whose last run took longer counts as slow. */
  slowStatementMs: 100,
  /** How long all statements of a caller count as slow after one that was unexpectedly slow. */
  distrustMs: 10_000,
  /**
   * Prepared statements of one connection, by their text: more, and it is replaced. The app's own need a third of it. A caller
   * who has prepared their share goes on without names.
   */
  preparedBytes: 384 * 1024,
  preparedBytesPerCaller: 128 * 1024,
  /** Counted for each besides its text. */
  preparedStatementBytes: 512,
  /** Extra connections for requests that wait while slow statements occupy the regular ones. */
  extraConnections: 8,
  /** Concurrent multi-statement transactions of one caller; four in total. */
  transactionsPerCaller: 2,
  /** How long a request may keep running after its client disconnected, before its connection is terminated. */
  cancelAfterMs: 200,
  connectMs: 5_000,
  /** The embedded Postgres rotates its log at this size; this many files are kept. */
  logFileBytes: 4 * 1024 * 1024,
  logFiles: 5,
} as const
