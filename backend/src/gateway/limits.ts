// HTTP limits, the same for every service and for the web app.
export const LIMITS = {
  /** Open connections of the process, including Realtime's sockets. */
  connections: 22_000,
  /** Without Realtime's sockets and those of trusted proxies. A team of thousands may share an office's address. */
  connectionsPerAddress: 4_000,
  /**
   * Connections that wait until the process takes them: after a restart a whole team is back in the same second. The system drops
   * what exceeds it, and a phone tries again after 1, 3, 7, 15, 31 and 63 s. Node's default is 511, the system's limit
   * (net.core.somaxconn) mostly 4,096.
   */
  waitingConnections: 4_096,
  /** Requests that a connection sent before it got the answers of earlier ones. */
  unansweredPerConnection: 4,
  /** From so many chunks on, the chunks of a body must have `tinyChunkBytes` on average. */
  tinyChunks: 128,
  tinyChunkBytes: 64,
  /** Request line (with the URL) and headers together. */
  headerBytes: 16 * 1024,
  headersMs: 15_000,
  /** Receiving a request whose body is buffered; uploads have `uploadMs`. */
  bodyMs: 60_000,
  uploadMs: 900_000,
  /** Inactivity on a connection during a request or response. */
  silenceMs: 120_000,
  keepAliveMs: 72_000,
  /** A request to Auth: metadata of 16 KiB may take thrice as much with escapes. */
  authBodyBytes: 64 * 1024,
  /** Bodies of requests that are not answered yet, uploads excepted. They arrive before their sender is known. */
  bodyBytes: 256 * 1024 * 1024,
  bodyBytesPerAddress: 64 * 1024 * 1024,
  /** What each piece of such a body counts as besides its bytes, because a chunk of one byte costs a Buffer. */
  bodyPieceBytes: 256,
  /** Finished answers that their clients have not read yet. */
  unreadBytes: 256 * 1024 * 1024,
  unreadBytesPerCaller: 32 * 1024 * 1024,
  /** Requests to the Data API in one batch, and their answers together. */
  batchParts: 20,
  batchAnswerBytes: 8 * 1024 * 1024,
  /** Parts that are not answered yet, of one member, or of one address without an account. */
  batchPartsPerCaller: 200,
} as const
