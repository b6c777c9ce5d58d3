// A client's broadcast: delivered to this process's subscribers and published to the other processes.
import { authorizeWrite } from '#realtime/rights/authorize-write.ts'
import type { Channel } from '#realtime/channels/channel.ts'
import { closeChannel } from '#realtime/channels/close-channel.ts'
import type { Service } from '#realtime/context.ts'
import type {
  BroadcastBody,
  BroadcastMessage,
  ClientMessage,
  ServerMessage,
} from '#realtime/protocol/messages.ts'
import { canRead } from '#realtime/channels/topics.ts'

type Broadcast = Extract<ClientMessage, { event: 'broadcast' }>

/** As on hosted Supabase, a broadcast without the right to send is dropped silently. */
export async function receiveBroadcast(service: Service, channel: Channel, message: Broadcast) {
  if (message.persist) {
    reply(service, channel, message, {
      status: 'error',
      response: {
        error: 'Storing a broadcast is not supported: use realtime.send in the database',
      },
    })
    return
  }
  if (!(await authorizeWrite(service, channel, 'broadcast')) || !channel.isOpen) return
  const isTooLarge =
    bytesOf(message.body) > service.limits.payloadBytes ||
    Buffer.byteLength(message.userEvent) > service.limits.eventNameBytes
  if (!isTooLarge) {
    broadcast(
      service,
      { topicKey: channel.key, userEvent: message.userEvent, body: message.body },
      channel.receivesOwnBroadcasts ? [] : [channel],
    )
  }
  if (channel.acknowledgesBroadcasts)
    reply(
      service,
      channel,
      message,
      isTooLarge
        ? { status: 'error', response: 'payload_size_exceeded' }
        : { status: 'ok', response: {} },
    )
}

type BroadcastContent = { topicKey: string; userEvent: string; body: BroadcastBody }

/** To all subscribers in all processes, except some channels of this one. */
export function broadcast(
  service: Service,
  content: BroadcastContent,
  except: readonly Channel[] = [],
) {
  deliverBroadcast(service, content, null, except)
  service.pubSub.publishBroadcast(content)
}

/** To all subscribers in this process. `id` is set for messages stored in the database. */
export function deliverBroadcast(
  service: Service,
  { topicKey, userEvent, body }: BroadcastContent,
  id: string | null,
  except: readonly Channel[] = [],
) {
  const topic = service.topics.get(topicKey)
  if (!topic) return
  const excepted =
    id !== null && topic.replayed.size > 0
      ? [...topic.replayed].filter(({ replayedIds }) => replayedIds?.has(id))
      : except
  const message: BroadcastMessage = {
    topic: topic.topic,
    ref: null,
    joinRef: null,
    event: 'broadcast',
    userEvent,
    body,
    meta: id === null ? null : { id },
  }
  service.writer.sendToAll(topic.broadcastSubscribers, message, excepted)
  for (const channel of [...topic.suspended])
    if (!excepted.includes(channel)) hold(service, channel, message)
}

// When a recheck takes so long that the buffer fills up, the client has to rejoin and read what it missed.
function hold(service: Service, channel: Channel, message: BroadcastMessage) {
  if (!channel.held || !canRead(channel, 'broadcast')) return
  channel.held.messages.push(message)
  channel.held.bytes += bytesOf(message.body)
  if (channel.held.bytes > service.limits.heldBytesPerChannel)
    closeChannel(service, channel, 'phx_error')
}

type Reply = Extract<ServerMessage, { event: 'phx_reply' }>['payload']

function reply({ writer }: Service, channel: Channel, { ref }: Broadcast, payload: Reply) {
  const { connection, topic, joinRef } = channel
  writer.send(connection, { topic, ref, joinRef, event: 'phx_reply', payload })
}

function bytesOf(body: BroadcastBody): number {
  return body.encoding === 'json' ? Buffer.byteLength(body.text) : body.bytes.length
}
