// HTTP limits, the same for every service and for the web app.
export const LIMITS = {
  /** Open connections of the process, realtime's among them. @refusal The connection is closed */
  connections: 22_000,
  /**
   * The same of one address (IPv6: one /64), without realtime's and without those of trusted proxies.
   * @refusal The connection is closed
   */
  connectionsPerAddress: 4_000,
  // After a restart a whole team is back in the same second. The system drops what exceeds it, and a phone tries again after
  // 1, 3, 7, 15, 31 and 63 s. Node's default is 511, the system's limit (net.core.somaxconn) mostly 4,096.
  /**
   * Connections of the same moment that wait until the process takes them; the system's `net.core.somaxconn` is a limit too.
   * @refusal Later: the client's system tries again
   */
  waitingConnections: 4_096,
  /**
   * Requests pipelined on one connection, before earlier ones have their response; browsers never do.
   * @refusal The connection is closed
   */
  pendingRequestsPerConnection: 4,
  /** Chunks of a chunked body that may be smaller than `tinyChunkBytes` on average. @refusal The connection is closed */
  tinyChunks: 128,
  /** What chunks must have on average after the first `tinyChunks`. @refusal The connection is closed */
  tinyChunkBytes: 64,
  /** Address and headers of a request together. @refusal 431 */
  headerBytes: 16 * 1024,
  /** Until the headers of a request are complete. @refusal 408 */
  headersMs: 15_000,
  /** Until the body of a request is complete, uploads excepted. @refusal The connection is closed */
  bodyMs: 60_000,
  /** Until an upload is complete. @refusal 408 */
  uploadMs: 900_000,
  /** Silence in the middle of a request or response. @refusal The connection is closed */
  silenceMs: 120_000,
  /** Until an idle connection is closed. @refusal The connection is closed */
  keepAliveMs: 72_000,
  // Metadata of 16 KiB may take thrice as much with escapes.
  /** A request to Auth. @refusal 413 */
  authBodyBytes: 64 * 1024,
  // Bodies arrive before their sender is known.
  /** Bodies of pending requests, uploads excepted. @refusal As `bodyBytesPerAddress` */
  bodyBytes: 256 * 1024 * 1024,
  /** The same of one address (IPv6: one /64). @refusal The connection is closed, or 429 */
  bodyBytesPerAddress: 64 * 1024 * 1024,
  // A chunk of one byte costs a Buffer.
  /** What each piece of such a body counts as, besides its bytes. */
  bodyPieceBytes: 256,
  /** Finished responses that clients have not read yet. @refusal 429 `too_many_unread_responses` */
  unreadBytes: 256 * 1024 * 1024,
  /** The same of one account, or of one address without an account. @refusal 429 `too_many_unread_responses` */
  unreadBytesPerCaller: 32 * 1024 * 1024,
  /** Requests to the Data API in one batch; the address and headers of each count for `gateway.headerBytes`. @refusal 400 */
  batchParts: 20,
  /** Their responses together; those beyond it are refused. @refusal 400 `54000` */
  batchResponseBytes: 8 * 1024 * 1024,
  /** Pending parts of one member, or of one address without an account. @refusal Busy */
  batchPartsPerCaller: 200,
} as const
