// Who is present on a topic, without sockets or processes: entries in, the protocol's states and diffs out.
import type { PresenceDiff, PresenceMeta, PresenceState } from './messages.ts'

/** One tracked connection. `owner` is the process that holds it. */
export type PresenceEntry = { key: string; owner: string; meta: PresenceMeta }

/** Groups entries by presence key, as clients expect them. */
export function groupByKey(entries: Iterable<PresenceEntry>): PresenceState {
  // Keys are chosen by clients: without a prototype, "__proto__" is a key like any other.
  const state = Object.create(null) as PresenceState
  for (const { key, meta } of entries) (state[key] ??= { metas: [] }).metas.push(meta)
  return state
}

/** What happened on a topic since its hearers were last told. */
export type PendingDiff = {
  joins: Map<string, PresenceEntry>
  leaves: Map<string, PresenceEntry>
}

export function newPendingDiff(): PendingDiff {
  return { joins: new Map(), leaves: new Map() }
}

export function noteJoin(diff: PendingDiff, entry: PresenceEntry) {
  diff.joins.set(entry.meta.phx_ref, entry)
}

/** Somebody who came and went between two tellings is not told at all. */
export function noteLeave(diff: PendingDiff, entry: PresenceEntry) {
  if (!diff.joins.delete(entry.meta.phx_ref)) diff.leaves.set(entry.meta.phx_ref, entry)
}

export function toPresenceDiff({ joins, leaves }: PendingDiff): PresenceDiff {
  return { joins: groupByKey(joins.values()), leaves: groupByKey(leaves.values()) }
}
