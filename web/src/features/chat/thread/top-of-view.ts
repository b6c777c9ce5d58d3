import type { ThreadRow } from './thread-rows.ts'

/** What the top of the screen no longer shows: the day, and who wrote a run that began above. */
export type TopOfView = { date: string; senderId: string | null }

/**
 * What the note says over these rows: it is about the last one, the first that can be read below it. Null where it would
 * cover a row that says it itself; the member's own messages are told by their side.
 */
export function topOfView(rows: readonly ThreadRow[], memberId: string): TopOfView | null {
  const row = rows.at(-1)
  if (row?.kind !== 'message' || rows.some(({ kind }) => kind !== 'message')) return null
  const { sent_at: date, sender_id: senderId } = row.message
  return { date, senderId: row.isFirstOfRun || senderId === memberId ? null : senderId }
}

export function isSameTop(one: TopOfView | null, other: TopOfView | null): boolean {
  return one?.date === other?.date && one?.senderId === other?.senderId
}
