/** What one client may take of the service; hosted Supabase has the same limits with other numbers. */
export type RealtimeLimits = {
  connections: number
  channelsPerConnection: number
  /** A client that reconnects joins all its channels at once, so this is above `channelsPerConnection`. */
  joinsPerSecond: number
  /** Broadcasts and other messages one connection may send. */
  eventsPerSecond: number
  presenceEventsPer30Seconds: number
  payloadBytes: number
  /** What may wait for a slow socket before it is cut off; its client reconnects and reads what it missed. */
  queuedBytesPerSocket: number
}

export const DEFAULT_LIMITS: RealtimeLimits = {
  connections: 20_000,
  channelsPerConnection: 100,
  joinsPerSecond: 200,
  eventsPerSecond: 100,
  presenceEventsPer30Seconds: 60,
  payloadBytes: 256 * 1024,
  queuedBytesPerSocket: 1024 * 1024,
}

export const ONE_SECOND_MS = 1000
export const PRESENCE_WINDOW_MS = 30_000
