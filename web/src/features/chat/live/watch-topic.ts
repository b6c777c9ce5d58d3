import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { realtime } from '#lib/supabase.ts'

export type TopicListener = {
  onEvent?: (event: string, payload: Record<string, unknown>) => void
  /** Called after every join, the first one too: whatever happened before it was not heard. */
  onJoined?: () => void
  /** The members present, by their presence keys. */
  onPresence?: (keys: string[]) => void
}

type Topic = { listeners: Set<TopicListener>; channel: Promise<RealtimeChannel>; isJoined: boolean }

/** A screen that is drawn again at once (navigation, strict mode) finds its channel still open. */
const LEAVE_AFTER_MS = 1_000

const topics = new Map<string, Topic>()

/**
 * Listens to a private topic until the returned function is called. Several listeners of one topic
 * share its channel, because the protocol allows one per topic and connection.
 */
export function watchTopic(
  name: string,
  listener: TopicListener,
  presenceKey?: string,
): () => void {
  const topic = topics.get(name) ?? openTopic(name, presenceKey)
  topic.listeners.add(listener)
  if (topic.isJoined) listener.onJoined?.()
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

function openTopic(name: string, presenceKey?: string): Topic {
  const listeners = new Set<TopicListener>()
  const channel = realtime().then((client) => join(client, name, presenceKey, topic))
  const topic: Topic = { listeners, isJoined: false, channel }
  // Live updates are an extra: without them the app reloads by hand, so this is only logged.
  channel.catch((error: unknown) => console.warn('No live updates', error))
  topics.set(name, topic)
  return topic
}

function join(
  client: RealtimeClient,
  name: string,
  presenceKey: string | undefined,
  topic: Topic,
): RealtimeChannel {
  const presence = presenceKey ? { key: presenceKey, enabled: true } : undefined
  const channel = client.channel(name, { config: { private: true, presence } })
  channel.on('broadcast', { event: '*' }, ({ event, payload }) => {
    for (const listener of topic.listeners)
      listener.onEvent?.(event, (payload ?? {}) as Record<string, unknown>)
  })
  if (presenceKey) {
    channel.on('presence', { event: 'sync' }, () => {
      const keys = Object.keys(channel.presenceState())
      for (const listener of topic.listeners) listener.onPresence?.(keys)
    })
  }
  return channel.subscribe((status) => {
    topic.isJoined = (status as string) === 'SUBSCRIBED'
    if (!topic.isJoined) return
    if (presenceKey) void channel.track({})
    for (const listener of topic.listeners) listener.onJoined?.()
  })
}

function closeIfUnused(name: string, topic: Topic): void {
  if (topic.listeners.size > 0 || topics.get(name) !== topic) return
  topics.delete(name)
  topic.channel
    .then((channel) => channel.unsubscribe())
    .catch((error: unknown) => console.warn('Leaving a topic failed', error))
}
