// Writes to sockets. A message to a topic is serialized and framed once per serializer, the frames of one turn of the event
// loop are concatenated once, and each socket gets one write per turn: the system call is the main cost.
import type { Channel, Connection } from '#realtime/channels/channel.ts'
import {
  SERIALIZER_VERSIONS,
  type SerializerVersion,
  type ServerMessage,
} from '#realtime/protocol/messages.ts'
import { serializeMessage } from '#realtime/protocol/serialize-message.ts'
import { webSocketFrame } from '#realtime/protocol/web-socket-frame.ts'

type SharedMessage = { message: ServerMessage; except: readonly Channel[] }

/** Channels that receive the same messages, by their connection's serializer. */
export type Subscribers = {
  channels: Record<SerializerVersion, Set<Channel>>
  pending: SharedMessage[]
}

export type SocketWriter = {
  send(connection: Connection, message: ServerMessage): void
  /** Sends to all subscribers but `except`. */
  sendToAll(subscribers: Subscribers, message: ServerMessage, except?: readonly Channel[]): void
  addTo(subscribers: Subscribers, channel: Channel): void
  removeFrom(subscribers: Subscribers, channel: Channel): void
  /** Writes everything queued without waiting for the end of the turn. */
  flush(): void
}

export function newSubscribers(): Subscribers {
  return { channels: { '1.0.0': new Set(), '2.0.0': new Set() }, pending: [] }
}

const NONE: readonly Channel[] = []

type SocketWriterSettings = { queuedBytesPerSocket: number; onSlow(connection: Connection): void }

export function createSocketWriter({
  queuedBytesPerSocket,
  onSlow,
}: SocketWriterSettings): SocketWriter {
  let groups: Subscribers[] = []
  let connections: Connection[] = []
  let scheduled: NodeJS.Immediate | null = null

  function schedule() {
    scheduled ??= setImmediate(flush)
  }

  function queue(connection: Connection, frame: Buffer) {
    if (connection.isClosed) return
    if (connection.queued.push(frame) === 1) connections.push(connection)
  }

  function deliver(subscribers: Subscribers) {
    const { pending } = subscribers
    subscribers.pending = []
    for (const version of SERIALIZER_VERSIONS) {
      const channels = subscribers.channels[version]
      if (channels.size === 0) continue
      const framed = pending.map(({ message, except }) => ({
        frame: frameFor(version, message),
        except,
      }))
      const toAll = joinFrames(framed)
      const excepted = new Set(pending.flatMap(({ except }) => except))
      for (const channel of channels) {
        const bytes = excepted.has(channel)
          ? joinFrames(framed.filter(({ except }) => !except.includes(channel)))
          : toAll
        if (bytes) queue(channel.connection, bytes)
      }
    }
  }

  function flush() {
    if (scheduled) clearImmediate(scheduled)
    scheduled = null
    const waitingGroups = groups
    groups = []
    for (const subscribers of waitingGroups)
      if (subscribers.pending.length > 0) deliver(subscribers)
    const waitingConnections = connections
    connections = []
    for (const connection of waitingConnections) write(connection)
  }

  function write(connection: Connection) {
    const { queued, stream } = connection
    connection.queued = []
    if (connection.isClosed || stream.destroyed) return
    const [first, ...rest] = queued
    if (!first) return
    if (rest.length === 0) stream.write(first)
    else {
      stream.cork()
      for (const frame of queued) stream.write(frame)
      stream.uncork()
    }
    if (stream.writableLength > queuedBytesPerSocket) onSlow(connection)
  }

  // Subscribing or unsubscribing before the end of the turn must not change who receives earlier messages.
  function deliverPending(subscribers: Subscribers) {
    if (subscribers.pending.length > 0) deliver(subscribers)
  }

  return {
    send(connection, message) {
      const frame = frameFor(connection.version, message)
      if (frame) queue(connection, frame)
      schedule()
    },
    sendToAll(subscribers, message, except = NONE) {
      if (subscribers.pending.push({ message, except }) === 1) groups.push(subscribers)
      schedule()
    },
    addTo(subscribers, channel) {
      deliverPending(subscribers)
      subscribers.channels[channel.connection.version].add(channel)
    },
    removeFrom(subscribers, channel) {
      deliverPending(subscribers)
      subscribers.channels[channel.connection.version].delete(channel)
    },
    flush,
  }
}

function frameFor(version: SerializerVersion, message: ServerMessage): Buffer | null {
  const data = serializeMessage(version, message)
  return data === null ? null : webSocketFrame(data)
}

function joinFrames(framed: { frame: Buffer | null }[]): Buffer | null {
  const frames = framed.flatMap(({ frame }) => frame ?? [])
  return frames.length > 1 ? Buffer.concat(frames) : (frames[0] ?? null)
}
