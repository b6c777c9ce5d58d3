import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { realtime } from './supabase.ts'

export type TopicListener = {
  onEvent?: (event: string, payload: Record<string, unknown>) => void
  /** Called after every join, the first one too: whatever happened before it was not heard. */
  onJoined?: () => void
  /** From here on things are missed, until the next join. */
  onLeft?: () => void
  /** The members present, by their presence keys. */
  onPresence?: (keys: string[]) => void
}

/** Look at who is present on a topic, or be present there as well. */
export type Presence = 'look' | { trackAs: string }

type Topic = {
  listeners: Set<TopicListener>
  channel: Promise<RealtimeChannel>
  isJoined: boolean
  present: string[]
}

/** A screen that is drawn again at once (navigation, strict mode) finds its channel still open. */
const LEAVE_AFTER_MS = 1_000

const topics = new Map<string, Topic>()

/**
 * Listens to a private topic until the returned function is called. Several listeners of one topic
 * share its channel, because the protocol allows one per topic and connection.
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

/** Tells the others on a topic something that need not be kept, such as that someone is typing. */
export async function sendToTopic(name: string, event: string, payload: object): Promise<void> {
  const topic = topics.get(name)
  if (topic?.isJoined) await (await topic.channel).send({ type: 'broadcast', event, payload })
}

function openTopic(name: string, presence?: Presence): Topic {
  const listeners = new Set<TopicListener>()
  const channel = realtime().then((client) => join(client, name, presence, topic))
  const topic: Topic = { listeners, isJoined: false, present: [], channel }
  // Live updates are an extra: without them the app reloads by hand, so this is only logged.
  channel.catch((error: unknown) => console.warn('No live updates', error))
  topics.set(name, topic)
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
      tellPresence(topic, Object.keys(channel.presenceState())),
    )
  }
  return channel.subscribe((status) => {
    topic.isJoined = (status as string) === 'SUBSCRIBED'
    // Without a connection nobody is known to be there; the next join tells anew.
    if (!topic.isJoined) {
      for (const listener of topic.listeners) listener.onLeft?.()
      return tellPresence(topic, [])
    }
    if (key) void channel.track({})
    for (const listener of topic.listeners) listener.onJoined?.()
  })
}

function tellPresence(topic: Topic, keys: string[]): void {
  if (keys.length === 0 && topic.present.length === 0) return
  topic.present = keys
  for (const listener of topic.listeners) listener.onPresence?.(keys)
}

function closeIfUnused(name: string, topic: Topic): void {
  if (topic.listeners.size > 0 || topics.get(name) !== topic) return
  topics.delete(name)
  topic.channel
    .then((channel) => channel.unsubscribe())
    .catch((error: unknown) => console.warn('Leaving a topic failed', error))
}
