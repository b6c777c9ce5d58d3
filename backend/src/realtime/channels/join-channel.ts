// phx_join: check limits, authenticate, authorize, and only then open the channel.
import { randomUUID } from 'node:crypto'
import type { Caller } from '#http/caller.ts'
import { parseChannelConfig, type ChannelConfig } from './channel-config.ts'
import { topicKey, type Channel, type Connection } from './channel.ts'
import { closeChannel } from './close-channel.ts'
import type { Service } from '#realtime/context.ts'
import { channelErrors } from '#realtime/errors.ts'
import { ONE_SECOND_MS } from '#realtime/limits.ts'
import {
  MAX_TOPIC_BYTES,
  TOPIC_PREFIX,
  type BroadcastMessage,
  type ClientMessage,
} from '#realtime/protocol/messages.ts'
import { countWithin, newRateWindow } from '#http/rate-window.ts'
import { sessionShareOf } from '#postgres/caller-share.ts'
import { loadReplay } from './replay-messages.ts'
import { canRead } from './topics.ts'

type Join = Extract<ClientMessage, { event: 'phx_join' }>

/** @throws ChannelError when the client may not join */
export async function joinChannel(service: Service, connection: Connection, join: Join) {
  checkLimits(service, connection)
  const name = join.topic.slice(TOPIC_PREFIX.length)
  if (name === '') throw channelErrors.topicNameRequired()
  if (Buffer.byteLength(join.topic) > MAX_TOPIC_BYTES) throw channelErrors.topicNameTooLong()
  const config = readConfig(join)
  if (service.privateOnly && !config.isPrivate) throw channelErrors.privateOnly()
  if (config.wantsPostgresChanges) throw channelErrors.postgresChangesUnsupported()

  const { caller, accessToken } = await identify(service, connection, config.accessToken)
  const channel = newChannel({ connection, join, name, config, caller, accessToken })
  channel.presenceKey = presenceKeyOf(service, channel, config.presenceKey)
  const replayed = await authorizeInTurn(service, channel, config)
  if (connection.isClosed) return

  // Joining a topic again replaces the first join.
  const earlier = connection.channels.get(join.topic)
  if (earlier) closeChannel(service, earlier, 'phx_close')
  // Not before it is allowed: a token of a session that has ended must not take the account's connections.
  verifyConnection(service, connection, caller)
  // Checked again: other topics may have been joined in the meantime.
  checkChannelCount(service, connection)
  open(service, channel, join, replayed)
  if (config.wantsReadyMessage) sendReady(service, channel)
}

/** Joins that wait count as channels do, so that a socket has no more of them waiting than it may open. */
async function authorizeInTurn(service: Service, channel: Channel, config: ChannelConfig) {
  const { connection } = channel
  if (connection.waitingJoins >= service.limits.channelsPerConnection)
    throw channelErrors.tooManyChannels()
  connection.waitingJoins++
  try {
    return await service.checks.run(channel, () => authorizeJoin(service, channel, config))
  } finally {
    connection.waitingJoins--
  }
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

/** Assigns the connection to the caller's account. @throws ChannelError when that has too many connections */
export function verifyConnection({ connections }: Service, connection: Connection, caller: Caller) {
  const { sub } = caller.claims
  if (sub === undefined || connection.isClosed) return
  if (!connections.verify(connection, { account: sub, session: sessionShareOf(caller) }))
    throw channelErrors.tooManyConnections()
}

async function authorizeRead({ authorize }: Service, channel: Channel) {
  const wanted = channel.presenceEnabled
    ? (['broadcast', 'presence'] as const)
    : (['broadcast'] as const)
  const { caller, name, connection } = channel
  const allowed = await authorize(caller, name, 'read', wanted, () => !connection.isClosed)
  for (const extension of wanted) channel.rights[extension].read = allowed.has(extension)
  if (allowed.size === 0) throw channelErrors.unauthorized(channel.name)
}

/** With `privateOnly`, members track presence under their own user id. */
export function presenceKeyOf(
  { privateOnly }: Service,
  { caller }: Pick<Channel, 'caller'>,
  wanted: string,
): string {
  return (privateOnly && caller.claims.sub) || wanted || randomUUID()
}

/** Checks the right to read and loads the replay. */
async function authorizeJoin(service: Service, channel: Channel, config: ChannelConfig) {
  if (config.isPrivate) await authorizeRead(service, channel)
  const replayed = await replay(service, channel, config)
  // The replay may contain messages sent after the member was removed, so the rights must be at least as recent.
  if (replayed.length > 0) await authorizeRead(service, channel)
  return channel.rights.broadcast.read ? replayed : []
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
  const { writer, presence, topics } = service
  const { connection, topic, joinRef } = channel
  presence.flush(channel.key)
  connection.channels.set(topic, channel)
  channel.isOpen = true
  writer.send(connection, {
    topic,
    ref: join.ref,
    joinRef,
    event: 'phx_reply',
    payload: { status: 'ok', response: { postgres_changes: [] } },
  })
  for (const message of replayed) writer.send(connection, { ...message, joinRef })
  topics.add(channel)
  sendPresenceState(service, channel)
}

/** Sends the full presence state to a channel that was just opened or resumed. */
export function sendPresenceState({ writer, presence }: Service, channel: Channel) {
  if (!channel.presenceEnabled || !canRead(channel, 'presence')) return
  const { connection, topic, joinRef } = channel
  const payload = presence.stateOf(channel.key)
  writer.send(connection, { topic, ref: null, joinRef, event: 'presence_state', payload })
}

// Hosted Supabase sends this once replication is connected; here broadcasts from the database arrive from the start.
function sendReady({ writer }: Service, { connection, topic, name, joinRef }: Channel) {
  writer.send(connection, {
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
    receivesOwnBroadcasts: config.receivesOwnBroadcasts,
    presenceEnabled: config.presenceEnabled,
    presenceKey: '',
    tracked: null,
    presenceEvents: newRateWindow(),
    replayedIds: null,
    held: null,
    isOpen: false,
  }
}
