import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { firstScreenRead } from '#data/first-screen.ts'
import { realtime } from '#data/supabase.ts'
import { doubtServer, noteResponse } from '#lib/server/server-reach.ts'

export type TopicListener = {
  onEvent?: (event: string, payload: Record<string, unknown>) => void
  /** Called after every join, including the first: anything published before it was missed. */
  onJoined?: () => void
  /** The channel is down; events are missed until the next join. */
  onLeft?: () => void
  /** The server refused or closed the channel: the member may not receive it. Called for every attempt. */
  onRefused?: () => void
  /** Presence keys of the members present. */
  onPresence?: (keys: string[]) => void
}

/** Observe presence on a topic, or also be present there. */
export type Presence = 'observe' | { trackAs: string }

type Topic = {
  listeners: Set<TopicListener>
  /** Undefined if the last listener left before the client had loaded. */
  channel: Promise<RealtimeChannel | undefined>
  isJoined: boolean
  present: string[]
}

/**
 * Topics that are joined soon after each other tell their listeners together, so that what these read again is one request.
 * A topic whose join takes longer than this holds up none of the others.
 */
const JOINED_TOGETHER_MS = 1_000

/** A screen that remounts at once (navigation, strict mode) reuses its channel. */
const LEAVE_AFTER_MS = 1_000

const topics = new Map<string, Topic>()
/** Not joined yet, and not refused either. */
const joining = new Set<Topic>()
/** Joined topics whose listeners have not been told yet: they are told together, once no topic is still joining. */
const justJoined = new Set<Topic>()
let longestWait: ReturnType<typeof setTimeout> | undefined

/**
 * Subscribes to a private topic until the returned function is called. Listeners of the same topic share a channel,
 * because the protocol allows one per topic and connection.
 */
export function watchTopic(name: string, listener: TopicListener, presence?: Presence): () => void {
  const topic = topics.get(name) ?? openTopic(name, presence)
  topic.listeners.add(listener)
  if (topic.isJoined) listener.onJoined?.()
  if (topic.present.length > 0) listener.onPresence?.(topic.present)
  return () => {
    topic.listeners.delete(listener)
    setTimeout(() => closeIfUnused(name, topic), LEAVE_AFTER_MS)
  }
}

function openTopic(name: string, presence?: Presence): Topic {
  const listeners = new Set<TopicListener>()
  const channel = firstScreenRead()
    .then(realtime)
    .then((client) =>
      topics.get(name) === topic ? join(client, name, presence, topic) : undefined,
    )
  const topic: Topic = { listeners, isJoined: false, present: [], channel }
  // Live updates are optional: without them members refresh by hand, so this is only logged.
  channel.catch((error: unknown) => {
    console.warn('Live updates are unavailable', error)
    endJoining(topic)
  })
  topics.set(name, topic)
  joining.add(topic)
  return topic
}

function join(
  client: RealtimeClient,
  name: string,
  presence: Presence | undefined,
  topic: Topic,
): RealtimeChannel {
  const key = typeof presence === 'object' ? presence.trackAs : undefined
  const channel = client.channel(name, {
    config: { private: true, presence: key ? { key, enabled: true } : undefined },
  })
  channel.on('broadcast', { event: '*' }, ({ event, payload }) => {
    for (const listener of topic.listeners)
      listener.onEvent?.(event, (payload ?? {}) as Record<string, unknown>)
  })
  if (presence) {
    channel.on('presence', { event: 'sync' }, () =>
      notifyPresence(topic, Object.keys(channel.presenceState())),
    )
  }
  return channel.subscribe((status) => {
    const isJoined = (status as string) === 'SUBSCRIBED'
    // Presence is unknown while disconnected; the next join syncs it.
    if (!isJoined) {
      topic.isJoined = false
      justJoined.delete(topic)
      if (!client.isConnected()) doubtServer()
      for (const listener of topic.listeners) listener.onLeft?.()
      // A join that the server refuses is an error of the channel, while the connection is fine.
      const isRefused = (status as string) === 'CHANNEL_ERROR' && client.isConnected()
      if (isRefused || (status as string) === 'CLOSED')
        for (const listener of topic.listeners) listener.onRefused?.()
      // Once the connection is back, the client joins again.
      if (!client.isConnected() && topics.get(name) === topic) joining.add(topic)
      else endJoining(topic)
      return notifyPresence(topic, [])
    }
    noteResponse()
    if (key) void channel.track({})
    justJoined.add(topic)
    longestWait ??= setTimeout(notifyJoined, JOINED_TOGETHER_MS)
    endJoining(topic)
  })
}

function endJoining(topic: Topic): void {
  joining.delete(topic)
  if (joining.size === 0) notifyJoined()
}

function notifyJoined(): void {
  clearTimeout(longestWait)
  longestWait = undefined
  const joined = [...justJoined]
  justJoined.clear()
  for (const topic of joined) {
    topic.isJoined = true
    for (const listener of topic.listeners) listener.onJoined?.()
  }
}

function notifyPresence(topic: Topic, keys: string[]): void {
  if (keys.length === 0 && topic.present.length === 0) return
  topic.present = keys
  for (const listener of topic.listeners) listener.onPresence?.(keys)
}

function closeIfUnused(name: string, topic: Topic): void {
  if (topic.listeners.size > 0 || topics.get(name) !== topic) return
  topics.delete(name)
  endJoining(topic)
  topic.channel
    .then((channel) => channel?.unsubscribe())
    .catch((error: unknown) => console.warn('Leaving a topic failed', error))
}
