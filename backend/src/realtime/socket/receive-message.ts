// Entry point of client messages: parses, rate-limits, orders them by topic and dispatches by event.
import type { Connection } from '#realtime/channels/channel.ts'
import {
  closeChannel,
  removeChannel,
  closeWithError,
  terminate,
} from '#realtime/channels/close-channel.ts'
import type { Service } from '#realtime/context.ts'
import { ChannelError } from '#realtime/errors.ts'
import { joinChannel } from '#realtime/channels/join-channel.ts'
import { ONE_SECOND_MS } from '#realtime/limits.ts'
import {
  TOPIC_PREFIX,
  type ClientMessage,
  type ServerMessage,
} from '#realtime/protocol/messages.ts'
import { parseClientMessage } from '#realtime/protocol/parse-client-message.ts'
import { countWithin } from '#http/rate-window.ts'
import { receiveAccessToken } from '#realtime/rights/reauthorize-channels.ts'
import { receiveBroadcast } from '#realtime/broadcast/receive-broadcast.ts'
import { receivePresence } from '#realtime/presence/receive-presence.ts'

type Reply = Extract<ServerMessage, { event: 'phx_reply' }>['payload']

const OK: Reply = { status: 'ok', response: {} }
const HEARTBEAT_TOPIC = 'phoenix'
/** Multiple of the event limit at which the whole connection is closed. */
const FLOOD_FACTOR = 10

/** Handles a frame. One that is not of the protocol closes the connection, as in Phoenix. */
export function receiveFrame(
  service: Service,
  connection: Connection,
  data: Buffer,
  isBinary: boolean,
) {
  connection.isAlive = true
  const { limits } = service
  connection.unhandledBytes += data.length
  // Messages about a topic queue behind earlier ones, such as a join, so their bytes are limited.
  if (connection.unhandledBytes > limits.unhandledBytesPerConnection)
    return terminate(connection, 'too much at once')
  const message = parseClientMessage(connection.version, data, isBinary)
  if (!message) {
    connection.unhandledBytes -= data.length
    connection.webSocket.close(1003, 'not a message of this protocol')
    return
  }
  const isWithinRate = message.event === 'phx_join' || countEvent(service, connection)
  // Without a channel to close, a flood has to close the connection.
  if (connection.events.count > limits.eventsPerSecond * FLOOD_FACTOR)
    return terminate(connection, 'too many messages')
  if (message.topic === HEARTBEAT_TOPIC) {
    connection.unhandledBytes -= data.length
    reply(service, connection, message, OK)
    return
  }
  const { inProgress } = connection
  const before = inProgress.get(message.topic)
  const handle = () => receive(service, connection, message, isWithinRate)
  const done = before ? before.then(handle) : handle()
  const settled = done
    .catch((error: unknown) => {
      service.log.error({ err: error, event: message.event }, 'could not handle a message')
      reply(service, connection, message, {
        status: 'error',
        response: { reason: 'Unknown Error on Channel' },
      })
    })
    .finally(() => {
      connection.unhandledBytes -= data.length
      if (inProgress.get(message.topic) === settled) inProgress.delete(message.topic)
    })
  inProgress.set(message.topic, settled)
}

// Counted on arrival, so that a flood cannot queue up.
function countEvent({ limits }: Service, connection: Connection): boolean {
  const rate = { limit: limits.eventsPerSecond, windowMs: ONE_SECOND_MS }
  return countWithin(connection.events, performance.now(), rate)
}

async function receive(
  service: Service,
  connection: Connection,
  message: ClientMessage,
  isWithinRate: boolean,
) {
  if (connection.isClosed) return
  if (!message.topic.startsWith(TOPIC_PREFIX)) {
    reply(service, connection, message, noSuchTopic())
    return
  }
  if (message.event === 'phx_join') {
    await join(service, connection, message)
    return
  }
  const channel = connection.channels.get(message.topic)
  if (!isWithinRate) {
    if (channel) closeWithError(service, channel, 'Too many messages per second')
    return
  }
  // A message of an earlier join of the same topic is stale.
  if (!channel || (message.joinRef !== null && message.joinRef !== channel.joinRef)) {
    reply(service, connection, message, message.event === 'phx_leave' ? OK : noSuchTopic())
    return
  }
  switch (message.event) {
    case 'phx_leave':
      removeChannel(service, channel)
      reply(service, connection, message, OK)
      closeChannel(service, channel, 'phx_close')
      break
    case 'access_token':
      return receiveAccessToken(service, channel, message.payload)
    case 'presence':
      return receivePresence(service, channel, message)
    case 'broadcast':
      return receiveBroadcast(service, channel, message)
  }
}

type Join = Extract<ClientMessage, { event: 'phx_join' }>

async function join(service: Service, connection: Connection, message: Join) {
  try {
    await joinChannel(service, connection, message)
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    service.log.info({ err: error, topic: message.topic }, 'rejected a join')
    reply(service, connection, message, { status: 'error', response: { reason: error.reason } })
    if (!error.disconnects) return
    service.writer.flush()
    connection.webSocket.close(1008, error.reason)
  }
}

function noSuchTopic(): Reply {
  return { status: 'error', response: { reason: 'unmatched topic' } }
}

function reply(
  { writer }: Service,
  connection: Connection,
  { topic, ref, joinRef }: ClientMessage,
  payload: Reply,
) {
  if (ref !== null) writer.send(connection, { topic, ref, joinRef, event: 'phx_reply', payload })
}
