// Rights change while channels are open: with a new access token, when a token runs out, and when the database says that
// somebody's membership changed. What was allowed to read and no longer is loses its channel.
import type { Channel, Extension } from './channel.ts'
import { closeChannel, shutChannel } from './close-channel.ts'
import { ChannelError } from './errors.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import type { Service } from './service.ts'

/** The `access_token` message: the client's session was refreshed, or somebody else signed in. */
export async function receiveAccessToken(service: Service, channel: Channel, payload: JsonObject) {
  const token = payload.access_token
  if (typeof token !== 'string' || token.startsWith('sb_') || token === channel.accessToken) return
  try {
    channel.caller = await service.identifyCaller.byAccessToken(token)
    channel.accessToken = token
    await recheckChannel(service, channel)
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    shutChannel(service, channel, error.message)
  }
}

/** Tries the rights again. @throws ChannelError when they cannot be tried */
async function recheckChannel(service: Service, channel: Channel) {
  if (!channel.isPrivate) return
  const { rights } = channel
  const held = (['broadcast', 'presence'] as const).filter((each) => rights[each].read)
  const allowed = await service.tryRights(channel.caller, channel.name, 'read', held)
  if (!channel.isOpen) return
  if (held.some((extension: Extension) => !allowed.has(extension))) {
    const message = `You no longer have permission to read from this Channel topic: ${channel.name}`
    shutChannel(service, channel, message)
    return
  }
  rights.broadcast.write = undefined
  rights.presence.write = undefined
}

/** What `realtime.recheck` announced: a user's id or a topic, or as JSON both. */
export function parseRecheck(payload: string): (channel: Channel) => boolean {
  if (!payload.startsWith('{'))
    return ({ name, caller }) => name === payload || caller.claims.sub === payload
  const parsed: unknown = JSON.parse(payload)
  const { topic, user } = isJsonObject(parsed) ? parsed : {}
  return ({ name, caller }) =>
    (typeof topic === 'string' || typeof user === 'string') &&
    (typeof topic !== 'string' || name === topic) &&
    (typeof user !== 'string' || caller.claims.sub === user)
}

/** Tries again the rights of all private channels that `concerns` picks. */
export async function recheckChannels(service: Service, concerns: (channel: Channel) => boolean) {
  const concerned = [...service.topics.all()]
    .flatMap(({ channels }) => [...channels])
    .filter((channel) => channel.isPrivate && concerns(channel))
  await Promise.all(
    concerned.map((channel) =>
      recheckChannel(service, channel).catch((error: unknown) => {
        // Not knowing is no right to read. The client joins again by itself, and is asked again then.
        service.log.warn({ err: error, topic: channel.name }, 'rights could not be tried again')
        if (channel.isOpen) closeChannel(service, channel, 'phx_error')
      }),
    ),
  )
}

/** Closes the channels whose access token has run out. */
export function closeExpired(service: Service) {
  const now = service.clock.now()
  for (const { channels } of [...service.topics.all()])
    for (const channel of [...channels]) {
      const { exp } = channel.caller.claims
      if (exp !== undefined && exp * 1000 <= now) shutChannel(service, channel, 'Token has expired')
    }
}
