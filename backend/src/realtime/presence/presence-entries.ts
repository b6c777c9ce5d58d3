// Turns presence entries into the protocol's states and diffs.
import type { PresenceDiff, PresenceMeta, PresenceState } from '#realtime/protocol/messages.ts'

/** One tracked connection. `owner` is the process that holds it. */
export type PresenceEntry = { key: string; owner: string; meta: PresenceMeta }

/** Groups entries by presence key, as clients expect. */
export function groupByKey(entries: Iterable<PresenceEntry>): PresenceState {
  // Keys are chosen by clients: without a prototype, "__proto__" is an ordinary key.
  const state = Object.create(null) as PresenceState
  for (const { key, meta } of entries) (state[key] ??= { metas: [] }).metas.push(meta)
  return state
}

/** Changes of a topic since the last diff was sent. */
export type PendingDiff = {
  joins: Map<string, PresenceEntry>
  leaves: Map<string, PresenceEntry>
}

export function newPendingDiff(): PendingDiff {
  return { joins: new Map(), leaves: new Map() }
}

export function addJoin(diff: PendingDiff, entry: PresenceEntry) {
  diff.joins.set(entry.meta.phx_ref, entry)
}

/** A join and leave between two diffs cancel out. */
export function addLeave(diff: PendingDiff, entry: PresenceEntry) {
  if (!diff.joins.delete(entry.meta.phx_ref)) diff.leaves.set(entry.meta.phx_ref, entry)
}

export function toPresenceDiff({ joins, leaves }: PendingDiff): PresenceDiff {
  return { joins: groupByKey(joins.values()), leaves: groupByKey(leaves.values()) }
}
