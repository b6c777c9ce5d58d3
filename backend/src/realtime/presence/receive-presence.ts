import { authorizeWrite } from '#realtime/rights/authorize-write.ts'
import type { Channel } from '#realtime/channels/channel.ts'
import { closeWithError } from '#realtime/channels/close-channel.ts'
import type { Service } from '#realtime/context.ts'
import { sendPresenceState } from '#realtime/channels/join-channel.ts'
import { isJsonObject, type JsonObject } from '#http/parse-json.ts'
import { PRESENCE_WINDOW_MS } from '#realtime/limits.ts'
import type { ClientMessage, ServerMessage } from '#realtime/protocol/messages.ts'
import { countWithin } from '#http/rate-window.ts'

type Presence = Extract<ClientMessage, { event: 'presence' }>
type Reply = Extract<ServerMessage, { event: 'phx_reply' }>['payload']

const OK: Reply = { status: 'ok', response: {} }
const REFUSED: Reply = { status: 'error', response: {} }

/** A client's `track` or `untrack`. */
export async function receivePresence(service: Service, channel: Channel, message: Presence) {
  const { limits, writer } = service
  const rate = { limit: limits.presenceEventsPer30Seconds, windowMs: PRESENCE_WINDOW_MS }
  if (!countWithin(channel.presenceEvents, performance.now(), rate)) {
    closeWithError(service, channel, 'Client presence rate limit exceeded')
    return
  }
  const payload = await handle(service, channel, message.payload)
  if (!channel.isOpen || !payload) return
  const { connection, topic, joinRef } = channel
  writer.send(connection, { topic, ref: message.ref, joinRef, event: 'phx_reply', payload })
  if (channel.tracked && !channel.presenceEnabled) await enablePresence(service, channel)
}

/** As on hosted Supabase, a channel that joined without presence receives it from its first `track` on. */
async function enablePresence(service: Service, channel: Channel) {
  const { authorize, checks, presence, topics } = service
  if (channel.isPrivate) {
    const allowed = await checks.run(channel, () =>
      authorize(channel.caller, channel.name, 'read', ['presence']),
    )
    channel.rights.presence.read = allowed.has('presence')
  }
  if (!channel.isOpen) return
  channel.presenceEnabled = true
  // While its rights are rechecked the channel receives nothing; the state follows when it resumes.
  if (channel.held) return
  presence.flush(channel.key)
  topics.watchPresence(channel)
  sendPresenceState(service, channel)
}

/** The reply, or null when the channel was closed instead. */
async function handle(
  service: Service,
  channel: Channel,
  message: JsonObject,
): Promise<Reply | null> {
  const event = typeof message.event === 'string' ? message.event.toLowerCase() : ''
  if (event === 'untrack') {
    service.presence.untrack(channel)
    return OK
  }
  if (event !== 'track') return REFUSED
  const payload = message.payload ?? {}
  if (!isJsonObject(payload))
    return { status: 'error', response: { reason: 'Presence track payload must be a map' } }
  if (Buffer.byteLength(JSON.stringify(payload)) > service.limits.presenceBytes) {
    closeWithError(service, channel, 'Track message size exceeded')
    return null
  }
  if (!(await authorizeWrite(service, channel, 'presence'))) return REFUSED
  if (!channel.isOpen || service.presence.track(channel, payload)) return OK
  return { status: 'error', response: { reason: 'Too much presence' } }
}
