import type { Channel } from './channel.ts'
import type { Service } from './service.ts'

/** Takes a channel out of everything that reaches it; the client is not told. */
export function removeChannel({ presence, topics }: Service, channel: Channel) {
  if (!channel.isOpen) return
  channel.isOpen = false
  presence.untrack(channel)
  topics.remove(channel)
  const { connection, topic } = channel
  if (connection.channels.get(topic) === channel) connection.channels.delete(topic)
}

/** `phx_close` is final for the client; after `phx_error` it joins again by itself. */
export function closeChannel(service: Service, channel: Channel, event: 'phx_close' | 'phx_error') {
  removeChannel(service, channel)
  const { connection, topic, joinRef } = channel
  service.outbox.send(connection, { topic, ref: joinRef, joinRef, event, payload: {} })
}

/** Tells the client why, then closes for good. */
export function shutChannel(service: Service, channel: Channel, message: string) {
  const { connection, topic, joinRef, name } = channel
  if (!channel.isOpen) return
  service.outbox.send(connection, {
    topic,
    ref: null,
    joinRef,
    event: 'system',
    payload: { extension: 'system', status: 'error', message, channel: name },
  })
  closeChannel(service, channel, 'phx_close')
}
