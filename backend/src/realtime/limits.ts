/** Limits per client; hosted Supabase has similar ones. docs/limits.md explains each. */
export const LIMITS = {
  connections: 20_000,
  /** A team of thousands may share an office's address. */
  connectionsPerAddress: 4_000,
  connectionsPerAccount: 20,
  /** A connection is anonymous while none of its channels was opened with an access token. */
  anonymousConnections: 1_000,
  anonymousConnectionsPerAddress: 100,
  anonymousIdleMs: 30_000,
  /** More than the joins of a hundred channels, which a reconnecting client sends at once. */
  anonymousBytesPerConnection: 256 * 1024,
  /** Of all sockets of an account. The most that an app sends is a new token for each of its channels. */
  bytesPerAccountPer10Seconds: 8 * 1024 * 1024,
  /** A session may send as much whatever the account's others have sent. */
  bytesPerSessionPer10Seconds: 1024 * 1024,
  upgradesPerAddressPer10Seconds: 2_000,
  /** Open ones, and joins that wait to be checked. */
  channelsPerConnection: 100,
  /** Above `channelsPerConnection`: a reconnecting client joins all its channels at once. */
  joinsPerSecond: 200,
  eventsPerSecond: 100,
  payloadBytes: 256 * 1024,
  /** Leaves headroom above `payloadBytes`, so that a slightly larger payload still gets a reply. */
  frameBytes: 320 * 1024,
  fragmentsPerMessage: 64,
  chunksPerFrame: 1_024,
  unhandledBytesPerConnection: 1024 * 1024,
  /** Queued for a slow socket before it is closed; its client reconnects and reads what it missed. */
  queuedBytesPerSocket: 1024 * 1024,
  heldBytesPerChannel: 1024 * 1024,
  accessTokenBytes: 8 * 1024,
  refLength: 64,
  eventNameBytes: 255,
  presenceKeyBytes: 255,
  /** That somebody is there, or types, needs none. */
  presenceBytes: 256,
  presenceBytesPerConnection: 64 * 1024,
  presenceBytesPerTopic: 256 * 1024,
  presenceEventsPer30Seconds: 60,
  /** All channels of all connections of an account may be rechecked at once. */
  checksQueuedPerAccount: 2_000,
  httpMessagesPerBatch: 100,
  httpBatchBytes: 1024 * 1024,
  httpMessagesPer10Seconds: 1_000,
  /** Within this time a process that ends closes its sockets, each at a moment of its own. */
  drainMs: 5_000,
  /** A few sockets are closed faster than within `drainMs`. */
  drainedPerSecond: 100,
} as const

export type RealtimeLimits = Record<keyof typeof LIMITS, number>

export const ONE_SECOND_MS = 1000
export const TEN_SECONDS_MS = 10_000
export const PRESENCE_WINDOW_MS = 30_000
