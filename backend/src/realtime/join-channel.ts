// phx_join: limits, then who it is, then what the policies say, and only then the channel is among the hearers.
import { randomUUID } from 'node:crypto'
import type { Caller } from '#http/caller.ts'
import { topicKey, type Channel } from './channel.ts'
import { parseChannelConfig, type ChannelConfig } from './channel-config.ts'
import { closeChannel } from './close-channel.ts'
import type { Connection } from './connection.ts'
import { channelErrors } from './errors.ts'
import { ONE_SECOND_MS } from './limits.ts'
import { TOPIC_PREFIX, type BroadcastMessage, type ClientMessage } from './messages.ts'
import { countWithin, newRateWindow } from './rate-window.ts'
import { loadReplay } from './replay-messages.ts'
import type { Service } from './service.ts'

type Join = Extract<ClientMessage, { event: 'phx_join' }>

const LONGEST_TOPIC_BYTES = 255

/** @throws ChannelError when the client may not join */
export async function joinChannel(service: Service, connection: Connection, join: Join) {
  checkLimits(service, connection)
  const name = join.topic.slice(TOPIC_PREFIX.length)
  if (name === '') throw channelErrors.topicNameRequired()
  if (Buffer.byteLength(join.topic) > LONGEST_TOPIC_BYTES) throw channelErrors.topicNameTooLong()
  const config = readConfig(join)
  if (service.privateOnly && !config.isPrivate) throw channelErrors.privateOnly()
  if (config.wantsPostgresChanges) throw channelErrors.postgresChangesUnsupported()

  const { caller, accessToken } = await identify(service, connection, config.accessToken)
  const channel = newChannel({ connection, join, name, config, caller, accessToken })
  if (config.isPrivate) await tryReading(service, channel)
  const replayed = await replay(service, channel, config)
  if (connection.isClosed) return

  // A second join of the same topic replaces the first.
  const earlier = connection.channels.get(join.topic)
  if (earlier) closeChannel(service, earlier, 'phx_close')
  // Once more: others may have been joined meanwhile.
  checkChannelCount(service, connection)
  open(service, channel, join, replayed)
  if (config.wantsReadyMessage) sayReady(service, channel)
}

function checkLimits({ limits }: Service, connection: Connection) {
  const rate = { limit: limits.joinsPerSecond, windowMs: ONE_SECOND_MS }
  if (!countWithin(connection.joins, performance.now(), rate)) throw channelErrors.tooManyJoins()
  checkChannelCount({ limits }, connection)
}

function checkChannelCount({ limits }: Pick<Service, 'limits'>, { channels }: Connection) {
  if (channels.size >= limits.channelsPerConnection) throw channelErrors.tooManyChannels()
}

function readConfig(join: Join): ChannelConfig {
  try {
    return parseChannelConfig(join.payload)
  } catch (cause) {
    throw channelErrors.invalidJoinPayload(cause)
  }
}

async function identify(
  { identifyCaller }: Service,
  { keyCaller }: Connection,
  token: string | null,
): Promise<{ caller: Caller; accessToken: string | null }> {
  // Clients without a session send their API key as the token.
  if (token === null || token.startsWith('sb_')) return { caller: keyCaller, accessToken: null }
  return { caller: await identifyCaller.byAccessToken(token), accessToken: token }
}

async function tryReading({ tryRights }: Service, channel: Channel) {
  const wanted = channel.presenceEnabled
    ? (['broadcast', 'presence'] as const)
    : (['broadcast'] as const)
  const allowed = await tryRights(channel.caller, channel.name, 'read', wanted)
  for (const extension of wanted) channel.rights[extension].read = allowed.has(extension)
  if (allowed.size === 0) throw channelErrors.unauthorized(channel.name)
}

async function replay(
  { database }: Service,
  channel: Channel,
  config: ChannelConfig,
): Promise<BroadcastMessage[]> {
  if (config.replay === null) return []
  if (!channel.isPrivate) throw channelErrors.replayOnPublicChannel()
  if (config.replay === 'invalid') throw channelErrors.replayInvalid()
  if (!channel.rights.broadcast.read) throw channelErrors.unauthorized(channel.name)
  const messages = await loadReplay(database, channel, config.replay).catch((cause: unknown) => {
    throw channelErrors.databaseUnavailable(cause)
  })
  channel.replayedIds = new Set(messages.flatMap(({ meta }) => meta?.id ?? []))
  return messages
}

function open(service: Service, channel: Channel, join: Join, replayed: BroadcastMessage[]) {
  const { outbox, presence, topics } = service
  const { connection, topic, joinRef } = channel
  presence.settle(channel.key)
  connection.channels.set(topic, channel)
  channel.isOpen = true
  outbox.send(connection, {
    topic,
    ref: join.ref,
    joinRef,
    event: 'phx_reply',
    payload: { status: 'ok', response: { postgres_changes: [] } },
  })
  for (const message of replayed) outbox.send(connection, { ...message, joinRef })
  const hearsPresence = !channel.isPrivate || channel.rights.presence.read === true
  if (channel.presenceEnabled && hearsPresence) {
    const payload = presence.stateOf(channel.key)
    outbox.send(connection, { topic, ref: null, joinRef, event: 'presence_state', payload })
  }
  topics.add(channel)
}

// Broadcast from the database is heard from the start here; clients that wait to be told so are told at once.
function sayReady({ outbox }: Service, { connection, topic, name, joinRef }: Channel) {
  outbox.send(connection, {
    topic,
    ref: null,
    joinRef,
    event: 'system',
    payload: {
      extension: 'system',
      status: 'ok',
      message: 'Replication connection established',
      channel: name,
    },
  })
}

type ChannelParts = {
  connection: Connection
  join: Join
  name: string
  config: ChannelConfig
  caller: Caller
  accessToken: string | null
}

function newChannel({
  connection,
  join,
  name,
  config,
  caller,
  accessToken,
}: ChannelParts): Channel {
  return {
    connection,
    topic: join.topic,
    name,
    key: topicKey(name, config.isPrivate),
    isPrivate: config.isPrivate,
    joinRef: join.joinRef ?? join.ref,
    caller,
    accessToken,
    rights: { broadcast: {}, presence: {} },
    acknowledgesBroadcasts: config.acknowledgesBroadcasts,
    hearsOwnBroadcasts: config.hearsOwnBroadcasts,
    presenceEnabled: config.presenceEnabled,
    presenceKey: config.presenceKey || randomUUID(),
    tracked: null,
    presenceEvents: newRateWindow(),
    replayedIds: null,
    isOpen: false,
  }
}
