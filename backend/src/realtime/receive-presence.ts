import type { Channel } from './channel.ts'
import { shutChannel } from './close-channel.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { PRESENCE_WINDOW_MS } from './limits.ts'
import { mayWrite } from './may-write.ts'
import type { ClientMessage, ServerMessage } from './messages.ts'
import { countWithin } from './rate-window.ts'
import type { Service } from './service.ts'

type Presence = Extract<ClientMessage, { event: 'presence' }>
type Reply = Extract<ServerMessage, { event: 'phx_reply' }>['payload']

const OK: Reply = { status: 'ok', response: {} }
const REFUSED: Reply = { status: 'error', response: {} }

/** A client says that it is there (track), and with what, or no longer (untrack). */
export async function receivePresence(service: Service, channel: Channel, message: Presence) {
  const { limits, outbox } = service
  const rate = { limit: limits.presenceEventsPer30Seconds, windowMs: PRESENCE_WINDOW_MS }
  if (!countWithin(channel.presenceEvents, performance.now(), rate)) {
    shutChannel(service, channel, 'Client presence rate limit exceeded')
    return
  }
  const payload = await act(service, channel, message.payload)
  if (!channel.isOpen || !payload) return
  const { connection, topic, joinRef } = channel
  outbox.send(connection, { topic, ref: message.ref, joinRef, event: 'phx_reply', payload })
}

/** The answer, or null when the channel was closed instead. */
async function act(service: Service, channel: Channel, said: JsonObject): Promise<Reply | null> {
  const event = typeof said.event === 'string' ? said.event.toLowerCase() : ''
  if (event === 'untrack') {
    service.presence.untrack(channel)
    return OK
  }
  if (event !== 'track') return REFUSED
  const payload = said.payload ?? {}
  if (!isJsonObject(payload))
    return { status: 'error', response: { reason: 'Presence track payload must be a map' } }
  if (Buffer.byteLength(JSON.stringify(payload)) > service.limits.payloadBytes) {
    shutChannel(service, channel, 'Track message size exceeded')
    return null
  }
  if (!(await mayWrite(service, channel, 'presence'))) return REFUSED
  if (channel.isOpen) service.presence.track(channel, payload)
  return OK
}
