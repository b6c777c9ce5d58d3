import type { Channel } from './channel.ts'
import {
  newSubscribers,
  type Subscribers,
  type SocketWriter,
} from '#realtime/socket/socket-writer.ts'

/** A topic that at least one client of this process has joined. */
export type Topic = {
  key: string
  /** As clients write it, with the prefix. */
  topic: string
  channels: Set<Channel>
  broadcastSubscribers: Subscribers
  presenceSubscribers: Subscribers
  /** Channels that were sent a replay, whose messages must not reach them twice. */
  replayed: Set<Channel>
  /** Channels whose right to read is being rechecked. */
  suspended: Set<Channel>
}

export type Topics = {
  get(key: string): Topic | undefined
  all(): Iterable<Topic>
  add(channel: Channel): void
  remove(channel: Channel): void
  /** Subscribes a channel to presence that it did not ask for when it joined. */
  watchPresence(channel: Channel): void
  /** Sends the channel nothing until its rights are rechecked; broadcasts are buffered. */
  suspend(channel: Channel): void
  /** Sends the channel its buffered broadcasts and subscribes it again. */
  resume(channel: Channel): void
}

/** The topics joined in this process and their subscribers. */
export function createTopics(writer: SocketWriter): Topics {
  const topics = new Map<string, Topic>()

  function find(channel: Channel): Topic {
    let topic = topics.get(channel.key)
    if (!topic) {
      topic = {
        key: channel.key,
        topic: channel.topic,
        channels: new Set(),
        broadcastSubscribers: newSubscribers(),
        presenceSubscribers: newSubscribers(),
        replayed: new Set(),
        suspended: new Set(),
      }
      topics.set(channel.key, topic)
    }
    return topic
  }

  function subscribe(topic: Topic, channel: Channel) {
    if (canRead(channel, 'broadcast')) writer.addTo(topic.broadcastSubscribers, channel)
    subscribeToPresence(topic, channel)
  }

  function subscribeToPresence(topic: Topic, channel: Channel) {
    if (channel.presenceEnabled && canRead(channel, 'presence'))
      writer.addTo(topic.presenceSubscribers, channel)
  }

  function unsubscribe(topic: Topic, channel: Channel) {
    writer.removeFrom(topic.broadcastSubscribers, channel)
    writer.removeFrom(topic.presenceSubscribers, channel)
  }

  return {
    get: (key) => topics.get(key),
    all: () => topics.values(),
    add(channel) {
      const topic = find(channel)
      topic.channels.add(channel)
      subscribe(topic, channel)
      if (channel.replayedIds) topic.replayed.add(channel)
    },
    remove(channel) {
      const topic = topics.get(channel.key)
      if (!topic?.channels.delete(channel)) return
      unsubscribe(topic, channel)
      topic.replayed.delete(channel)
      topic.suspended.delete(channel)
      channel.held = null
      if (topic.channels.size === 0) topics.delete(channel.key)
    },
    watchPresence(channel) {
      const topic = topics.get(channel.key)
      if (topic?.channels.has(channel)) subscribeToPresence(topic, channel)
    },
    suspend(channel) {
      const topic = topics.get(channel.key)
      if (!topic?.channels.has(channel) || channel.held) return
      unsubscribe(topic, channel)
      topic.suspended.add(channel)
      channel.held = { messages: [], bytes: 0 }
    },
    resume(channel) {
      const topic = topics.get(channel.key)
      if (!topic?.suspended.delete(channel) || !channel.held) return
      for (const message of channel.held.messages) writer.send(channel.connection, message)
      channel.held = null
      subscribe(topic, channel)
    },
  }
}

/** Whether the channel may read, as of its join or last recheck. */
export function canRead(channel: Channel, extension: 'broadcast' | 'presence'): boolean {
  return !channel.isPrivate || channel.rights[extension].read === true
}
