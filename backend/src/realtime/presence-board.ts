// Presence of all topics: what this process's own clients track and what the other processes say of theirs. Changes are
// told in small batches, because a team that reconnects at once would otherwise cause a diff per member and member.
import { randomBytes } from 'node:crypto'
import type { Channel } from './channel.ts'
import type { JsonObject } from './json.ts'
import type { PresenceMeta, PresenceState } from './messages.ts'
import type { Outbox } from './outbox.ts'
import {
  groupByKey,
  newPendingDiff,
  noteJoin,
  noteLeave,
  toPresenceDiff,
  type PendingDiff,
  type PresenceEntry,
} from './presence-entries.ts'
import type { Topics } from './topics.ts'

const BATCH_MS = 50

/** A topic's entries as they travel between processes. */
export type SharedPresence = { topicKey: string; joins: [string, PresenceMeta][]; leaves: string[] }

export type PresenceBoard = {
  track(channel: Channel, payload: JsonObject): void
  untrack(channel: Channel): void
  stateOf(topicKey: string): PresenceState
  /** Tells the present hearers what is pending, so that a new one can start from the state. */
  settle(topicKey: string): void
  /** What another process says happened among its clients. */
  applyShared(owner: string, change: SharedPresence): void
  /** Everything another process's clients track; what it no longer names has left. */
  replaceShared(owner: string, all: SharedPresence[]): void
  /** Everything this process's clients track. */
  own(): SharedPresence[]
  close(): void
}

type Settings = {
  processId: string
  topics: Topics
  outbox: Outbox
  share(change: SharedPresence): void
}

export function createPresenceBoard({ processId, topics, outbox, share }: Settings): PresenceBoard {
  const present = new Map<string, Map<string, PresenceEntry>>()
  const pending = new Map<string, PendingDiff>()
  let timer: NodeJS.Timeout | null = null

  function pendingOf(topicKey: string): PendingDiff {
    let diff = pending.get(topicKey)
    if (!diff) pending.set(topicKey, (diff = newPendingDiff()))
    timer ??= setTimeout(tellAll, BATCH_MS)
    return diff
  }

  function add(topicKey: string, entry: PresenceEntry) {
    let entries = present.get(topicKey)
    if (!entries) present.set(topicKey, (entries = new Map<string, PresenceEntry>()))
    if (entries.has(entry.meta.phx_ref)) return
    entries.set(entry.meta.phx_ref, entry)
    noteJoin(pendingOf(topicKey), entry)
  }

  function remove(topicKey: string, ref: string) {
    const entries = present.get(topicKey)
    const entry = entries?.get(ref)
    if (!entries || !entry) return
    entries.delete(ref)
    if (entries.size === 0) present.delete(topicKey)
    noteLeave(pendingOf(topicKey), entry)
  }

  function tell(topicKey: string) {
    const diff = pending.get(topicKey)
    if (!diff || !pending.delete(topicKey)) return
    if (diff.joins.size === 0 && diff.leaves.size === 0) return
    const topic = topics.get(topicKey)
    if (topic)
      outbox.sendToAll(topic.presenceHearers, {
        topic: topic.topic,
        ref: null,
        joinRef: null,
        event: 'presence_diff',
        payload: toPresenceDiff(diff),
      })
    const mine = ({ owner }: PresenceEntry) => owner === processId
    const joins = [...diff.joins.values()].filter(mine)
    const leaves = [...diff.leaves.values()].filter(mine)
    if (joins.length > 0 || leaves.length > 0)
      share({
        topicKey,
        joins: joins.map(({ key, meta }) => [key, meta]),
        leaves: leaves.map(({ meta }) => meta.phx_ref),
      })
  }

  function tellAll() {
    timer = null
    for (const topicKey of [...pending.keys()]) tell(topicKey)
  }

  function untrack(channel: Channel) {
    if (channel.tracked) remove(channel.key, channel.tracked.meta.phx_ref)
    channel.tracked = null
  }

  return {
    track(channel, payload) {
      const payloadText = JSON.stringify(payload)
      if (channel.tracked?.payloadText === payloadText) return
      const previous = channel.tracked?.meta.phx_ref
      untrack(channel)
      const meta: PresenceMeta = {
        ...payload,
        phx_ref: randomBytes(12).toString('base64url'),
        ...(previous ? { phx_ref_prev: previous } : {}),
      }
      add(channel.key, { key: channel.presenceKey, owner: processId, meta })
      channel.tracked = { payloadText, meta }
    },
    untrack,
    stateOf: (topicKey) => groupByKey(present.get(topicKey)?.values() ?? []),
    settle: tell,
    applyShared(owner, { topicKey, joins, leaves }) {
      for (const ref of leaves) remove(topicKey, ref)
      for (const [key, meta] of joins) add(topicKey, { key, owner, meta })
    },
    replaceShared(owner, all) {
      const named = new Set(all.flatMap(({ joins }) => joins.map(([, meta]) => meta.phx_ref)))
      for (const [topicKey, entries] of [...present])
        for (const entry of [...entries.values()])
          if (entry.owner === owner && !named.has(entry.meta.phx_ref))
            remove(topicKey, entry.meta.phx_ref)
      for (const { topicKey, joins } of all)
        for (const [key, meta] of joins) add(topicKey, { key, owner, meta })
    },
    own: () =>
      [...present].flatMap(([topicKey, entries]) => {
        const mine = [...entries.values()].filter(({ owner }) => owner === processId)
        const joins = mine.map(({ key, meta }): [string, PresenceMeta] => [key, meta])
        return joins.length > 0 ? [{ topicKey, joins, leaves: [] }] : []
      }),
    close() {
      if (timer) clearTimeout(timer)
    },
  }
}
