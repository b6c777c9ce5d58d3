import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Caller } from '#http/caller.ts'
import type { Channel } from './channel.ts'
import type { RateWindow } from './rate-window.ts'
import type { SerializerVersion } from './messages.ts'

/** One open WebSocket of one client. */
export type Connection = {
  version: SerializerVersion
  webSocket: WebSocket
  /** The stream under the WebSocket: ready-made frames are written straight to it. */
  stream: Duplex
  /** Whom the API key stands for; a channel joined without an access token is joined as this. */
  keyCaller: Caller
  /** Joined channels by topic, as clients spell it (`realtime:…`). */
  channels: Map<string, Channel>
  /** Work still going on for a topic, so that what a client says about one topic happens in the order it was said. */
  inProgress: Map<string, Promise<void>>
  /** Frames to be written at the end of this turn of the event loop. */
  queued: Buffer[]
  joins: RateWindow
  events: RateWindow
  /** Whether anything was heard since the last look; clients say something every 25 seconds. */
  isAlive: boolean
  isClosed: boolean
}
