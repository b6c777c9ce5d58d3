// A client's socket and the topics joined on it: each knows the other.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Caller } from '#http/caller.ts'
import type {
  BroadcastMessage,
  PresenceMeta,
  SerializerVersion,
} from '#realtime/protocol/messages.ts'
import type { RateWindow } from '#http/rate-window.ts'

export type Extension = 'broadcast' | 'presence'

/** What the policies allow; undefined until checked. */
export type Rights = { read?: boolean; write?: boolean }

/** One open WebSocket of one client. */
export type Connection = {
  version: SerializerVersion
  webSocket: WebSocket
  /** The stream under the WebSocket; serialized frames are written straight to it. */
  stream: Duplex
  /** Whose token opened its channels; null while there is none. */
  account: string | null
  /** The session of that token; null while there is none. */
  session: string | null
  /** When it was opened, or lost its last channel. */
  anonymousSince: number
  /** Received while it had no account. */
  anonymousBytes: number
  /** Bytes of the messages in `inProgress`. */
  unhandledBytes: number
  /** The caller of the API key; channels joined without an access token use it. */
  keyCaller: Caller
  /** Client address (an IPv6 network), for limits. */
  address: string
  /** Joined channels by topic, as clients write it (`realtime:…`). */
  channels: Map<string, Channel>
  /** Pending work by topic: a client's messages about one topic are handled in order. */
  inProgress: Map<string, Promise<void>>
  /** Frames to write at the end of this turn of the event loop. */
  queued: Buffer[]
  joins: RateWindow
  /** Joins whose rights are being checked. */
  waitingJoins: number
  events: RateWindow
  /** Whether anything was received since the last liveness check; clients send a heartbeat every 25 seconds. */
  isAlive: boolean
  isClosed: boolean
}

/** One topic that one connection has joined. */
export type Channel = {
  connection: Connection
  /** As clients write it, with the prefix. */
  topic: string
  /** As policies and the database write it, without the prefix. */
  name: string
  /** Identifies the topic in all processes, see `topicKey`. */
  key: string
  isPrivate: boolean
  joinRef: string | null
  caller: Caller
  accessToken: string | null
  /** Only for private channels; on a public one everything is allowed. */
  rights: Record<Extension, Rights>
  acknowledgesBroadcasts: boolean
  receivesOwnBroadcasts: boolean
  presenceEnabled: boolean
  presenceKey: string
  /** The presence this channel tracks. */
  tracked: { payloadText: string; meta: PresenceMeta } | null
  presenceEvents: RateWindow
  /** Messages already sent by replay; their broadcast is skipped. */
  replayedIds: Set<string> | null
  /** Messages buffered while the right to read is rechecked; null otherwise. */
  held: { messages: BroadcastMessage[]; bytes: number } | null
  isOpen: boolean
}

/** Private and public channels of the same name are separate topics: neither receives what is sent to the other. */
export function topicKey(name: string, isPrivate: boolean): string {
  return (isPrivate ? 'private:' : 'public:') + name
}
