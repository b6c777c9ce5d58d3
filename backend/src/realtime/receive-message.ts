// Every message of a client passes here: parsed, counted, put in order per topic, and handed to the file for its event.
import { ChannelError } from './errors.ts'
import type { Connection } from './connection.ts'
import { closeChannel, removeChannel, shutChannel } from './close-channel.ts'
import { joinChannel } from './join-channel.ts'
import { ONE_SECOND_MS } from './limits.ts'
import { TOPIC_PREFIX, type ClientMessage, type ServerMessage } from './messages.ts'
import { parseClientMessage } from './parse-client-message.ts'
import { countWithin } from './rate-window.ts'
import { receiveBroadcast } from './receive-broadcast.ts'
import { receivePresence } from './receive-presence.ts'
import { receiveAccessToken } from './recheck-rights.ts'
import type { Service } from './service.ts'

type Reply = Extract<ServerMessage, { event: 'phx_reply' }>['payload']

const OK: Reply = { status: 'ok', response: {} }
const HEARTBEAT_TOPIC = 'phoenix'

/** A frame from the client. What is not of the protocol ends the connection, as Phoenix does. */
export function receiveFrame(
  service: Service,
  connection: Connection,
  data: Buffer,
  isBinary: boolean,
) {
  connection.isAlive = true
  const message = parseClientMessage(connection.version, data, isBinary)
  if (!message) {
    connection.webSocket.close(1003, 'not a message of this protocol')
    return
  }
  if (message.topic === HEARTBEAT_TOPIC) {
    reply(service, connection, message, OK)
    return
  }
  const { inProgress } = connection
  const isWithinRate = message.event === 'phx_join' || countEvent(service, connection)
  const before = inProgress.get(message.topic)
  const act = () => receive(service, connection, message, isWithinRate)
  const done = before ? before.then(act) : act()
  const settled = done
    .catch((error: unknown) => {
      service.log.error({ err: error, event: message.event }, 'a message could not be handled')
      reply(service, connection, message, {
        status: 'error',
        response: { reason: 'Unknown Error on Channel' },
      })
    })
    .finally(() => {
      if (inProgress.get(message.topic) === settled) inProgress.delete(message.topic)
    })
  inProgress.set(message.topic, settled)
}

// Counted on arrival, so that a flood cannot wait in line.
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
    if (channel) shutChannel(service, channel, 'Too many messages per second')
    return
  }
  // A message of an earlier join of the same topic is out of date.
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
    service.log.info({ err: error, topic: message.topic }, 'a join was refused')
    reply(service, connection, message, { status: 'error', response: { reason: error.reason } })
    if (!error.disconnects) return
    service.outbox.flush()
    connection.webSocket.close(1008, error.reason)
  }
}

function noSuchTopic(): Reply {
  return { status: 'error', response: { reason: 'unmatched topic' } }
}

function reply(
  { outbox }: Service,
  connection: Connection,
  { topic, ref, joinRef }: ClientMessage,
  payload: Reply,
) {
  if (ref !== null) outbox.send(connection, { topic, ref, joinRef, event: 'phx_reply', payload })
}
