// HTTP limits, the same for every service and for the web app.
export const LIMITS = {
  /** Open connections of the process, including Realtime's sockets. */
  connections: 22_000,
  /** Without Realtime's sockets and those of trusted proxies. A team of thousands may share an office's address. */
  connectionsPerAddress: 4_000,
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
  /** Bodies of requests that are not answered yet, uploads excepted. They arrive before their sender is known. */
  bodyBytes: 256 * 1024 * 1024,
  bodyBytesPerAddress: 64 * 1024 * 1024,
  /** What each piece of such a body counts as besides its bytes, because a chunk of one byte costs a Buffer. */
  bodyPieceBytes: 256,
  /** Finished answers that their clients have not read yet. */
  unreadBytes: 256 * 1024 * 1024,
  unreadBytesPerCaller: 32 * 1024 * 1024,
} as const
