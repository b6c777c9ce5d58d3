// Writing to sockets. A message to a whole topic is serialised and framed once for each serializer, all frames of one
// turn of the event loop are joined once, and each socket gets one write per turn: the system call is what costs.
import type { Channel } from './channel.ts'
import type { Connection } from './connection.ts'
import { SERIALIZER_VERSIONS, type SerializerVersion, type ServerMessage } from './messages.ts'
import { serializeMessage } from './serialize-message.ts'
import { webSocketFrame } from './web-socket-frame.ts'

type SharedMessage = { message: ServerMessage; except: readonly Channel[] }

/** The channels that hear the same messages, by the serializer their connection speaks. */
export type Audience = {
  channels: Record<SerializerVersion, Set<Channel>>
  pending: SharedMessage[]
}

export type Outbox = {
  send(connection: Connection, message: ServerMessage): void
  /** Sends to everyone in the audience but `except`. */
  sendToAll(audience: Audience, message: ServerMessage, except?: readonly Channel[]): void
  addTo(audience: Audience, channel: Channel): void
  removeFrom(audience: Audience, channel: Channel): void
  /** Writes at once what is waiting for the end of the turn. */
  flush(): void
}

export function newAudience(): Audience {
  return { channels: { '1.0.0': new Set(), '2.0.0': new Set() }, pending: [] }
}

const NOBODY: readonly Channel[] = []

type OutboxSettings = { queuedBytesPerSocket: number; onSlow(connection: Connection): void }

export function createOutbox({ queuedBytesPerSocket, onSlow }: OutboxSettings): Outbox {
  let audiences: Audience[] = []
  let connections: Connection[] = []
  let scheduled: NodeJS.Immediate | null = null

  function schedule() {
    scheduled ??= setImmediate(flush)
  }

  function queue(connection: Connection, frame: Buffer) {
    if (connection.isClosed) return
    if (connection.queued.push(frame) === 1) connections.push(connection)
  }

  function deliver(audience: Audience) {
    const { pending } = audience
    audience.pending = []
    for (const version of SERIALIZER_VERSIONS) {
      const channels = audience.channels[version]
      if (channels.size === 0) continue
      const framed = pending.map(({ message, except }) => ({
        frame: frameFor(version, message),
        except,
      }))
      const toEveryone = joinFrames(framed)
      const excepted = new Set(pending.flatMap(({ except }) => except))
      for (const channel of channels) {
        const bytes = excepted.has(channel)
          ? joinFrames(framed.filter(({ except }) => !except.includes(channel)))
          : toEveryone
        if (bytes) queue(channel.connection, bytes)
      }
    }
  }

  function flush() {
    if (scheduled) clearImmediate(scheduled)
    scheduled = null
    const waitingAudiences = audiences
    audiences = []
    for (const audience of waitingAudiences) if (audience.pending.length > 0) deliver(audience)
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

  // Who joins or leaves an audience between a message and the end of the turn must not change who hears that message.
  function settle(audience: Audience) {
    if (audience.pending.length > 0) deliver(audience)
  }

  return {
    send(connection, message) {
      const frame = frameFor(connection.version, message)
      if (frame) queue(connection, frame)
      schedule()
    },
    sendToAll(audience, message, except = NOBODY) {
      if (audience.pending.push({ message, except }) === 1) audiences.push(audience)
      schedule()
    },
    addTo(audience, channel) {
      settle(audience)
      audience.channels[channel.connection.version].add(channel)
    },
    removeFrom(audience, channel) {
      settle(audience)
      audience.channels[channel.connection.version].delete(channel)
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
