// A client broadcasts: to the other hearers of this process at once, and to the other processes.
import type { Channel } from './channel.ts'
import type { BroadcastBody, ClientMessage, ServerMessage } from './messages.ts'
import { mayWrite } from './may-write.ts'
import type { Service } from './service.ts'

type Broadcast = Extract<ClientMessage, { event: 'broadcast' }>

/** As on hosted Supabase a broadcast without the right to send is dropped without a word. */
export async function receiveBroadcast(service: Service, channel: Channel, message: Broadcast) {
  if (message.persist) {
    answer(service, channel, message, {
      status: 'error',
      response: {
        error: 'Storing a broadcast is not supported: use realtime.send in the database',
      },
    })
    return
  }
  if (!(await mayWrite(service, channel, 'broadcast')) || !channel.isOpen) return
  const isTooLarge = bytesOf(message.body) > service.limits.payloadBytes
  if (!isTooLarge) {
    broadcast(
      service,
      { topicKey: channel.key, userEvent: message.userEvent, body: message.body },
      channel.hearsOwnBroadcasts ? [] : [channel],
    )
  }
  if (channel.acknowledgesBroadcasts)
    answer(
      service,
      channel,
      message,
      isTooLarge
        ? { status: 'error', response: 'payload_size_exceeded' }
        : { status: 'ok', response: {} },
    )
}

type Broadcasted = { topicKey: string; userEvent: string; body: BroadcastBody }

/** To everyone on the topic in all processes, except some channels of this one. */
export function broadcast(service: Service, content: Broadcasted, except: readonly Channel[] = []) {
  deliverBroadcast(service, content, null, except)
  service.cluster.shareBroadcast(content)
}

/** To everyone on the topic in this process. `id` is set for messages that the database keeps. */
export function deliverBroadcast(
  { topics, outbox }: Pick<Service, 'topics' | 'outbox'>,
  { topicKey, userEvent, body }: Broadcasted,
  id: string | null,
  except: readonly Channel[] = [],
) {
  const topic = topics.get(topicKey)
  if (!topic) return
  const excepted =
    id !== null && topic.replayed.size > 0
      ? [...topic.replayed].filter(({ replayedIds }) => replayedIds?.has(id))
      : except
  outbox.sendToAll(
    topic.broadcastHearers,
    {
      topic: topic.topic,
      ref: null,
      joinRef: null,
      event: 'broadcast',
      userEvent,
      body,
      meta: id === null ? null : { id },
    },
    excepted,
  )
}

type Reply = Extract<ServerMessage, { event: 'phx_reply' }>['payload']

function answer({ outbox }: Service, channel: Channel, { ref }: Broadcast, payload: Reply) {
  const { connection, topic, joinRef } = channel
  outbox.send(connection, { topic, ref, joinRef, event: 'phx_reply', payload })
}

function bytesOf(body: BroadcastBody): number {
  return body.encoding === 'json' ? Buffer.byteLength(body.text) : body.bytes.length
}
