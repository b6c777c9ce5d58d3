// Presence of all topics, of this process's clients and of other processes'. Changes are sent in small batches: otherwise
// a team of n that reconnects at once would cause n² diffs.
import { randomBytes } from 'node:crypto'
import type { Channel } from '#realtime/channels/channel.ts'
import type { JsonObject } from '#http/parse-json.ts'
import { LIMITS } from '#realtime/limits.ts'
import type { PresenceMeta, PresenceState } from '#realtime/protocol/messages.ts'
import {
  groupByKey,
  newPendingDiff,
  addJoin,
  addLeave,
  toPresenceDiff,
  type PendingDiff,
  type PresenceEntry,
} from './presence-entries.ts'
import type { SocketWriter } from '#realtime/socket/socket-writer.ts'
import type { Topics } from '#realtime/channels/topics.ts'

const BATCH_MS = 50

/** A topic's entries as published between processes. */
export type SharedPresence = { topicKey: string; joins: [string, PresenceMeta][]; leaves: string[] }

export type PresenceTracker = {
  /** @returns false when the topic or the connection would exceed its limit */
  track(channel: Channel, payload: JsonObject): boolean
  untrack(channel: Channel): void
  stateOf(topicKey: string): PresenceState
  /** Sends pending changes to current subscribers, so that a new one can start from the state. */
  flush(topicKey: string): void
  /** Applies a change published by another process. */
  applyRemote(owner: string, change: SharedPresence): void
  /** Replaces everything another process tracks; entries missing from `all` have left. */
  replaceRemote(owner: string, all: SharedPresence[]): void
  /** Everything tracked by this process's clients. */
  local(): SharedPresence[]
  close(): void
}

type Settings = {
  processId: string
  topics: Topics
  writer: SocketWriter
  publish(change: SharedPresence): void
  limits?: { presenceBytesPerTopic: number; presenceBytesPerConnection: number }
}

export function createPresenceTracker(settings: Settings): PresenceTracker {
  const { processId, topics, writer, publish, limits = LIMITS } = settings
  const present = new Map<string, Map<string, PresenceEntry>>()
  const bytes = new Map<string, number>()
  const pending = new Map<string, PendingDiff>()
  let timer: NodeJS.Timeout | null = null

  function pendingOf(topicKey: string): PendingDiff {
    let diff = pending.get(topicKey)
    if (!diff) pending.set(topicKey, (diff = newPendingDiff()))
    timer ??= setTimeout(flushAll, BATCH_MS)
    return diff
  }

  function add(topicKey: string, entry: PresenceEntry) {
    let entries = present.get(topicKey)
    if (!entries) present.set(topicKey, (entries = new Map<string, PresenceEntry>()))
    if (entries.has(entry.meta.phx_ref)) return
    entries.set(entry.meta.phx_ref, entry)
    bytes.set(topicKey, (bytes.get(topicKey) ?? 0) + bytesOf(entry))
    addJoin(pendingOf(topicKey), entry)
  }

  function remove(topicKey: string, ref: string) {
    const entries = present.get(topicKey)
    const entry = entries?.get(ref)
    if (!entries || !entry) return
    entries.delete(ref)
    bytes.set(topicKey, (bytes.get(topicKey) ?? 0) - bytesOf(entry))
    if (entries.size === 0) {
      present.delete(topicKey)
      bytes.delete(topicKey)
    }
    addLeave(pendingOf(topicKey), entry)
  }

  function flush(topicKey: string) {
    const diff = pending.get(topicKey)
    if (!diff || !pending.delete(topicKey)) return
    if (diff.joins.size === 0 && diff.leaves.size === 0) return
    const topic = topics.get(topicKey)
    if (topic)
      writer.sendToAll(topic.presenceSubscribers, {
        topic: topic.topic,
        ref: null,
        joinRef: null,
        event: 'presence_diff',
        payload: toPresenceDiff(diff),
      })
    const isLocal = ({ owner }: PresenceEntry) => owner === processId
    const joins = [...diff.joins.values()].filter(isLocal)
    const leaves = [...diff.leaves.values()].filter(isLocal)
    if (joins.length > 0 || leaves.length > 0)
      publish({
        topicKey,
        joins: joins.map(({ key, meta }) => [key, meta]),
        leaves: leaves.map(({ meta }) => meta.phx_ref),
      })
  }

  function flushAll() {
    timer = null
    for (const topicKey of [...pending.keys()]) flush(topicKey)
  }

  // Every client that joins a topic receives its whole state, so its size is limited.
  function hasRoom(channel: Channel, entry: PresenceEntry): boolean {
    const size = bytesOf(entry)
    const ofConnection = [...channel.connection.channels.values()].reduce(
      (sum, { tracked }) => sum + (tracked?.payloadText.length ?? 0),
      size,
    )
    const ofTopic = (bytes.get(channel.key) ?? 0) + size
    return (
      ofTopic <= limits.presenceBytesPerTopic && ofConnection <= limits.presenceBytesPerConnection
    )
  }

  function untrack(channel: Channel) {
    if (channel.tracked) remove(channel.key, channel.tracked.meta.phx_ref)
    channel.tracked = null
  }

  return {
    track(channel, payload) {
      const payloadText = JSON.stringify(payload)
      if (channel.tracked?.payloadText === payloadText) return true
      const previous = channel.tracked?.meta.phx_ref
      untrack(channel)
      const meta: PresenceMeta = {
        ...payload,
        phx_ref: randomBytes(12).toString('base64url'),
        ...(previous ? { phx_ref_prev: previous } : {}),
      }
      const entry = { key: channel.presenceKey, owner: processId, meta }
      if (!hasRoom(channel, entry)) return false
      add(channel.key, entry)
      channel.tracked = { payloadText, meta }
      return true
    },
    untrack,
    stateOf: (topicKey) => groupByKey(present.get(topicKey)?.values() ?? []),
    flush,
    applyRemote(owner, { topicKey, joins, leaves }) {
      for (const ref of leaves) remove(topicKey, ref)
      for (const [key, meta] of joins) add(topicKey, { key, owner, meta })
    },
    replaceRemote(owner, all) {
      const announced = new Set(all.flatMap(({ joins }) => joins.map(([, meta]) => meta.phx_ref)))
      for (const [topicKey, entries] of [...present])
        for (const entry of [...entries.values()])
          if (entry.owner === owner && !announced.has(entry.meta.phx_ref))
            remove(topicKey, entry.meta.phx_ref)
      for (const { topicKey, joins } of all)
        for (const [key, meta] of joins) add(topicKey, { key, owner, meta })
    },
    local: () =>
      [...present].flatMap(([topicKey, entries]) => {
        const local = [...entries.values()].filter(({ owner }) => owner === processId)
        const joins = local.map(({ key, meta }): [string, PresenceMeta] => [key, meta])
        return joins.length > 0 ? [{ topicKey, joins, leaves: [] }] : []
      }),
    close() {
      if (timer) clearTimeout(timer)
    },
  }
}

function bytesOf({ key, meta }: PresenceEntry): number {
  return Buffer.byteLength(key) + Buffer.byteLength(JSON.stringify(meta))
}
