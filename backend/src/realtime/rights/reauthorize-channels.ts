// Rights of open channels change with a new access token, when a token expires, and when the database requests a changed
// membership. A channel that may no longer read is closed, and receives nothing while that is being checked. Messages sent
// after the change arrive after its recheck, because notifications are delivered in commit order.
import { authorizeWrite } from './authorize-write.ts'
import type { Channel, Extension } from '#realtime/channels/channel.ts'
import { closeChannel, closeWithError } from '#realtime/channels/close-channel.ts'
import type { Service } from '#realtime/context.ts'
import { ChannelError } from '#realtime/errors.ts'
import {
  presenceKeyOf,
  sendPresenceState,
  verifyConnection,
} from '#realtime/channels/join-channel.ts'
import { isJsonObject, type JsonObject } from '#http/parse-json.ts'
import type { Subject } from './pending-checks.ts'

/** The `access_token` message: the session was refreshed, or another user signed in. */
export async function receiveAccessToken(service: Service, channel: Channel, payload: JsonObject) {
  const token = payload.access_token
  if (typeof token !== 'string' || token.startsWith('sb_') || token === channel.accessToken) return
  if (token.length > service.limits.accessTokenBytes) return
  try {
    const caller = await service.identifyCaller.byAccessToken(token)
    if (!channel.isOpen) return
    const isSomebodyElse = caller.claims.sub !== channel.caller.claims.sub
    channel.caller = caller
    channel.accessToken = token
    if (isSomebodyElse) {
      service.presence.untrack(channel)
      channel.presenceKey = presenceKeyOf(service, channel, channel.presenceKey)
    }
    service.checks.invalidate((subject) => subject === channel)
    await reauthorizeChannel(service, channel)
    if (channel.isOpen && !channel.held) verifyConnection(service, channel.connection, caller)
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    closeWithError(service, channel, error.message)
  }
}

/** Repeats the channel's authorization. @throws ChannelError when the check fails */
async function reauthorizeChannel(service: Service, channel: Channel) {
  if (!channel.isPrivate || !channel.isOpen) return
  const { rights } = channel
  rights.broadcast.write = undefined
  rights.presence.write = undefined
  // One recheck at a time: `invalidate` has already made the running one start over.
  if (channel.held) return
  service.topics.suspend(channel)
  const held = (['broadcast', 'presence'] as const).filter((each) => rights[each].read)
  const allowed = await service.checks.run(channel, () =>
    service.authorize(channel.caller, channel.name, 'read', held),
  )
  if (!channel.isOpen) return
  if (held.some((extension: Extension) => !allowed.has(extension))) {
    const message = `You no longer have permission to read from this Channel topic: ${channel.name}`
    closeWithError(service, channel, message)
    return
  }
  service.presence.flush(channel.key)
  service.topics.resume(channel)
  sendPresenceState(service, channel)
  if (channel.tracked && !(await authorizeWrite(service, channel, 'presence'))) {
    service.presence.untrack(channel)
  }
}

/** The payload of `realtime.recheck`: a user id or a topic, or both as JSON. Malformed JSON matches everything. */
export function parseRecheck(payload: string): (subject: Subject) => boolean {
  if (!payload.startsWith('{'))
    return ({ name, caller }) => name === payload || caller.claims.sub === payload
  let parsed: unknown
  try {
    parsed = JSON.parse(payload)
  } catch {
    return () => true
  }
  const { topic, user } = isJsonObject(parsed) ? parsed : {}
  return ({ name, caller }) =>
    (typeof topic === 'string' || typeof user === 'string') &&
    (typeof topic !== 'string' || name === topic) &&
    (typeof user !== 'string' || caller.claims.sub === user)
}

/** Rechecks all private channels that match, and restarts their running checks. */
export async function reauthorizeChannels(
  service: Service,
  matches: (subject: Subject) => boolean,
) {
  service.checks.invalidate(matches)
  const affected = [...service.topics.all()]
    .flatMap(({ channels }) => [...channels])
    .filter((channel) => channel.isPrivate && matches(channel))
  await Promise.all(
    affected.map((channel) =>
      reauthorizeChannel(service, channel).catch((error: unknown) => {
        // Fail closed. The client rejoins, which authorizes it again.
        service.log.warn({ err: error, topic: channel.name }, 'could not reauthorize a channel')
        if (channel.isOpen) closeChannel(service, channel, 'phx_error')
      }),
    ),
  )
}

/** Closes the channels whose access token has expired. */
export function closeExpired(service: Service) {
  const now = service.clock.now()
  for (const { channels } of [...service.topics.all()])
    for (const channel of [...channels]) {
      const { exp } = channel.caller.claims
      if (exp !== undefined && exp * 1000 <= now)
        closeWithError(service, channel, 'Token has expired')
    }
}
