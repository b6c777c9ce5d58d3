import type { Channel } from './channel.ts'
import { newAudience, type Audience, type Outbox } from './outbox.ts'

/** A topic that at least one client of this process has joined. */
export type Topic = {
  key: string
  /** As clients spell it. */
  topic: string
  channels: Set<Channel>
  broadcastHearers: Audience
  presenceHearers: Audience
  /** Those of its channels that were sent a replay, which must not reach them twice. */
  replayed: Set<Channel>
}

export type Topics = {
  get(key: string): Topic | undefined
  all(): Iterable<Topic>
  add(channel: Channel): void
  remove(channel: Channel): void
}

/** Which channel hears what, for the topics that are joined in this process. */
export function createTopics(outbox: Outbox): Topics {
  const topics = new Map<string, Topic>()

  function find(channel: Channel): Topic {
    let topic = topics.get(channel.key)
    if (!topic) {
      topic = {
        key: channel.key,
        topic: channel.topic,
        channels: new Set(),
        broadcastHearers: newAudience(),
        presenceHearers: newAudience(),
        replayed: new Set(),
      }
      topics.set(channel.key, topic)
    }
    return topic
  }

  return {
    get: (key) => topics.get(key),
    all: () => topics.values(),
    add(channel) {
      const topic = find(channel)
      topic.channels.add(channel)
      if (mayRead(channel, 'broadcast')) outbox.addTo(topic.broadcastHearers, channel)
      if (channel.presenceEnabled && mayRead(channel, 'presence'))
        outbox.addTo(topic.presenceHearers, channel)
      if (channel.replayedIds) topic.replayed.add(channel)
    },
    remove(channel) {
      const topic = topics.get(channel.key)
      if (!topic?.channels.delete(channel)) return
      outbox.removeFrom(topic.broadcastHearers, channel)
      outbox.removeFrom(topic.presenceHearers, channel)
      topic.replayed.delete(channel)
      if (topic.channels.size === 0) topics.delete(channel.key)
    },
  }
}

function mayRead(channel: Channel, extension: 'broadcast' | 'presence'): boolean {
  return !channel.isPrivate || channel.rights[extension].read === true
}
