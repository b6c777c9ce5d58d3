import type { Channel, Connection } from './channel.ts'
import type { Service } from '#realtime/context.ts'

/** Unsubscribes the channel from everything, without notifying the client. */
export function removeChannel({ connections, presence, topics }: Service, channel: Channel) {
  if (!channel.isOpen) return
  channel.isOpen = false
  presence.untrack(channel)
  topics.remove(channel)
  const { connection, topic } = channel
  if (connection.channels.get(topic) !== channel) return
  connection.channels.delete(topic)
  if (connection.channels.size === 0) connections.release(connection)
}

/** After `phx_close` the client stays away; after `phx_error` it rejoins. */
export function closeChannel(service: Service, channel: Channel, event: 'phx_close' | 'phx_error') {
  removeChannel(service, channel)
  const { connection, topic, joinRef } = channel
  service.writer.send(connection, { topic, ref: joinRef, joinRef, event, payload: {} })
}

/** Ends a connection that floods the server, without waiting for its client. */
export function terminate({ webSocket }: Connection, reason: string) {
  webSocket.close(1008, reason)
  webSocket.terminate()
}

/** Sends the client the reason, then closes for good. */
export function closeWithError(service: Service, channel: Channel, message: string) {
  const { connection, topic, joinRef, name } = channel
  if (!channel.isOpen) return
  service.writer.send(connection, {
    topic,
    ref: null,
    joinRef,
    event: 'system',
    payload: { extension: 'system', status: 'error', message, channel: name },
  })
  closeChannel(service, channel, 'phx_close')
}
