import type { ThreadRow } from './thread-rows.ts'

/** What the top of the screen no longer shows: the day, and who wrote a run that began above. */
export type TopOfView = { date: string; senderId: string | null }

/**
 * What the floating note says, from the rows it lies over. It describes the last of them, whose text can still be read below
 * the note. Null if it would cover a separator, which names the day already. The sender is left out for the member's own
 * messages, which stand on their own side.
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
