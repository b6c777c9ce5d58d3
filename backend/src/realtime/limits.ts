/** Limits per client; hosted Supabase has similar ones. docs/limits.md explains each. */
export const LIMITS = {
  /** Open sockets of one process. @refusal 429 `Too many connected users` */
  connections: 20_000,
  /** Open sockets from one address (IPv6: one /64), an office's for instance. @refusal 429 `Too many connected users` */
  connectionsPerAddress: 4_000,
  /**
   * Open sockets of one account.
   * @refusal The latest of the session with most, or of its address with most; `ConnectionRateLimitReached`
   */
  connectionsPerAccount: 20,
  /** Open sockets that have shown no access token. @refusal The oldest of them is closed with 1013 */
  anonymousConnections: 1_000,
  /** The same from one address. @refusal The oldest of them is closed with 1013 */
  anonymousConnectionsPerAddress: 100,
  /** How long such a socket may be without a channel. @refusal Closed with 1008 */
  anonymousIdleMs: 30_000,
  // More than the joins of a hundred channels, which a reconnecting client sends at once.
  /** What such a socket may send, where only private channels are allowed. @refusal The socket is cut off */
  anonymousBytesPerConnection: 256 * 1024,
  // The most that an app sends is a new token for each of its channels.
  /** What all sockets of one account send. @refusal The socket is closed with 1008 */
  bytesPerAccountPer10Seconds: 8 * 1024 * 1024,
  /** What a session may send even if the others of its account have sent too much. */
  bytesPerSessionPer10Seconds: 1024 * 1024,
  /** Attempts to connect from one address. @refusal 429 `Too many connection attempts` */
  upgradesPerAddressPer10Seconds: 2_000,
  /** Channels joined on one socket, and as many joins that wait to be checked. @refusal `ChannelRateLimitReached` */
  channelsPerConnection: 100,
  // Above `channelsPerConnection`: a reconnecting client joins all its channels at once.
  /** Joins one socket may send. @refusal `ClientJoinRateLimitReached`, the socket is closed */
  joinsPerSecond: 200,
  /** Other messages one socket may send. @refusal The channel is closed; at ten times as many, the socket */
  eventsPerSecond: 100,
  /** One broadcast. @refusal `payload_size_exceeded`, over HTTP 422 */
  payloadBytes: 256 * 1024,
  // Leaves headroom above `payloadBytes`, so that a slightly larger payload still gets a reply.
  /** One message as it arrives. @refusal Closed with 1009 */
  frameBytes: 320 * 1024,
  /** WebSocket fragments of one message. @refusal Closed with 1008 */
  fragmentsPerMessage: 64,
  /** Pieces of a frame that has not arrived whole. @refusal Closed with 1008 */
  chunksPerFrame: 1_024,
  /** Messages that wait for an earlier one about their topic, a join for instance. @refusal The socket is cut off */
  unhandledBytesPerConnection: 1024 * 1024,
  /** What may wait for a slow socket. @refusal The socket is cut off; its client reconnects */
  queuedBytesPerSocket: 1024 * 1024,
  /** What may wait for a channel while its rights are rechecked. @refusal `phx_error`; the client joins again */
  heldBytesPerChannel: 1024 * 1024,
  /** An access token in a join or an `access_token` message. @refusal `InvalidJoinPayload`, or ignored */
  accessTokenBytes: 8 * 1024,
  /** Characters of `ref` and `join_ref`. @refusal Closed with 1003 */
  refLength: 64,
  /** The event's name of a broadcast. @refusal `payload_size_exceeded`, over HTTP 422 */
  eventNameBytes: 255,
  /** A presence key. @refusal `InvalidJoinPayload` */
  presenceKeyBytes: 255,
  // That somebody is there, or types, needs none.
  /** What one channel tracks. @refusal The channel is closed with `Track message size exceeded` */
  presenceBytes: 256,
  /** What all channels of a socket track. @refusal `track` is refused with `Too much presence` */
  presenceBytesPerConnection: 64 * 1024,
  /** What is tracked on a topic; about 2,000 members. @refusal `track` is refused with `Too much presence` */
  presenceBytesPerTopic: 256 * 1024,
  /** Presence updates of one channel. @refusal The channel is closed */
  presenceEventsPer30Seconds: 60,
  // All channels of all connections of an account may be rechecked at once.
  /**
   * Checks of rights that wait for one account; accounts take turns, then their sessions.
   * @refusal `UnableToConnectToProject`, for the session with most of them
   */
  checksQueuedPerAccount: 2_000,
  /** Messages of one `POST /realtime/v1/api/broadcast`. @refusal 422 */
  httpMessagesPerBatch: 100,
  /** Its body. @refusal 413 */
  httpBatchBytes: 1024 * 1024,
  /** Messages over HTTP of one account, or without one of one address. @refusal 429 `TooManyRequests` */
  httpMessagesPer10Seconds: 1_000,
  /**
   * Within this time a process that ends closes its sockets, each at a moment of its own.
   * @refusal Closed with 1012; its client connects again
   */
  drainMs: 5_000,
  /** How fast that goes where there are few sockets. */
  drainedPerSecond: 100,
} as const

export type RealtimeLimits = Record<keyof typeof LIMITS, number>

export const ONE_SECOND_MS = 1000
export const TEN_SECONDS_MS = 10_000
export const PRESENCE_WINDOW_MS = 30_000
