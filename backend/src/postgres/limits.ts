// Limits of the database connections. docs/limits.md shows the response for each.
export const LIMITS = {
  // A second line of defense: the services limit their own responses.
  /** What Postgres may send for one request. @refusal 400 `54000`; other requests on the same connection get 503 */
  responseBytes: 32 * 1024 * 1024,
  /** Requests that wait for a connection, of one pool. @refusal Busy */
  waitingRequests: 1000,
  /** The same of one member, or of one address without an account. @refusal Busy */
  waitingRequestsPerCaller: 200,
  /** The same of all anonymous callers. @refusal Busy */
  waitingAnonymousRequests: 250,
  /** How long a request waits. @refusal Busy */
  waitMs: 10_000,
  /**
   * Statements that are new or were slow last time, running at once for one member, or for all anonymous callers.
   * @refusal The next one waits
   */
  slowStatementsPerCaller: 2,
  /**
   * The same, of all callers together; fewer than the connections, so that fast statements always find one.
   * @refusal The next one waits
   */
  slowStatements: 10,
  /** While so many run, each caller gets one. @refusal The next one waits */
  slowStatementsUntilShared: 6,
  /** From this time on a statement counts as slow. @refusal Its connection is no longer shared */
  slowStatementMs: 100,
  /** How long all statements of a caller count as slow after one that was unexpectedly slow. @refusal The next one waits */
  distrustMs: 10_000,
  // The app's own need a third of it.
  /** Texts of a connection's prepared statements. @refusal None; the connection is replaced */
  preparedBytes: 384 * 1024,
  /**
   * Of these, what one account, or one address without an account, has prepared.
   * @refusal None; its further statements are planned each time
   */
  preparedBytesPerCaller: 128 * 1024,
  /** What each of them counts besides its text. */
  preparedStatementBytes: 512,
  /** Connections opened beyond the four of the data API while slow statements hold those. @refusal Requests wait */
  extraConnections: 8,
  /**
   * Transactions of several statements (uploads, estimated counts) of one caller at once; four in all.
   * @refusal The next one waits
   */
  transactionsPerCaller: 2,
  /** How much longer a request runs whose client is gone. @refusal Its connection is cut */
  cancelAfterMs: 200,
  /** Opening a connection. @refusal 503, as for a lost connection */
  connectMs: 5_000,
  /** One log file of the embedded Postgres. @refusal A new file is begun */
  logFileBytes: 4 * 1024 * 1024,
  /** Log files of the embedded Postgres that are kept. @refusal The oldest is deleted */
  logFiles: 5,
} as const
