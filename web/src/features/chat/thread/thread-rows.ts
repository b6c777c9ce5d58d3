import type { Message } from '#features/chat/model/chat-types.ts'
import { compareTimes } from '#features/chat/model/message-window.ts'
import type { OutboxEntry } from '#features/chat/outbox/outbox-entry.ts'
import { calendarDay } from '#lib/i18n/day-label.ts'

export type ThreadRow =
  | { kind: 'day'; key: string; date: string }
  | { kind: 'new-messages'; key: string }
  | { kind: 'message'; key: string; message: Message; isFirstOfRun: boolean; isLastOfRun: boolean }
  | { kind: 'pending'; key: string; entry: OutboxEntry }
  /** Space below the last message, also for the typing note. */
  | { kind: 'tail'; key: string; seenId: string | null; typingIds: readonly string[] }

/** Messages of one sender within this time are grouped and show the name once. */
const RUN_GAP_MS = 5 * 60 * 1000

type RowInput = {
  messages: readonly Message[]
  pending: readonly OutboxEntry[]
  memberId: string
  /** The member's read mark when the thread was opened; undefined while unknown. */
  lastReadAt: string | null | undefined
  /** There is history above the messages. */
  hasOlder?: boolean
  timeZone?: string
}

/** The thread's rows from top to bottom: day separators, the "new messages" line, messages. */
export function threadRows(input: RowInput): ThreadRow[] {
  const firstNew = firstUnreadId(input)
  const rows: ThreadRow[] = []
  let previous: Message | undefined
  let previousDay = ''
  for (const message of input.messages) {
    const day = calendarDay(message.sent_at, input.timeZone)
    const startsDay = day !== previousDay
    const startsNew = message.id === firstNew
    if (startsDay) rows.push({ kind: 'day', key: `day-${day}`, date: message.sent_at })
    if (startsNew) rows.push({ kind: 'new-messages', key: 'new-messages' })
    const isFirstOfRun = startsDay || startsNew || !continuesRun(previous, message)
    if (!isFirstOfRun) closeRun(rows, false)
    rows.push({ kind: 'message', key: message.id, message, isFirstOfRun, isLastOfRun: true })
    previous = message
    previousDay = day
  }
  return [...rows, ...pendingRows(input)]
}

function closeRun(rows: ThreadRow[], isLastOfRun: boolean): void {
  const last = rows.at(-1)
  if (last?.kind === 'message') rows[rows.length - 1] = { ...last, isLastOfRun }
}

// The key is the message's id, so the row stays in place when the stored message replaces it.
function pendingRows({ messages, pending }: RowInput): ThreadRow[] {
  const stored = new Set(messages.map(({ id }) => id))
  return pending
    .filter((entry) => !stored.has(entry.id))
    .map((entry) => ({ kind: 'pending', key: entry.id, entry }))
}

/** The member's own message at the end of the thread; null if there is none, or another is on its way below it. */
export function lastOwnId(rows: readonly ThreadRow[], memberId: string): string | null {
  const last = rows.at(-1)
  return last?.kind === 'message' && last.message.sender_id === memberId ? last.message.id : null
}

/** Undefined if nothing is unread, or if it is not among the loaded messages. */
export function firstUnreadId(input: Omit<RowInput, 'pending'>): string | undefined {
  const { messages, memberId, lastReadAt, hasOlder } = input
  if (lastReadAt === undefined) return undefined
  // It is further up, among what isn't loaded.
  if (hasOlder && messages[0] && isAfter(messages[0].sent_at, lastReadAt)) return undefined
  return messages.find(
    (message) =>
      message.sender_id !== memberId && !message.is_deleted && isAfter(message.sent_at, lastReadAt),
  )?.id
}

/** Null is a chat that was never read. */
export function isAfter(time: string, mark: string | null): boolean {
  return mark === null || compareTimes(time, mark) > 0
}

function continuesRun(previous: Message | undefined, message: Message): boolean {
  return (
    previous?.sender_id === message.sender_id &&
    !previous.is_deleted &&
    !message.is_deleted &&
    Date.parse(message.sent_at) - Date.parse(previous.sent_at) < RUN_GAP_MS
  )
}
