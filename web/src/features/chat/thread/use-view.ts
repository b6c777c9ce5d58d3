import { useEffect, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useUserId } from '#data/session/session.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import { compareTimes, type MessageWindow } from '#features/chat/model/message-window.ts'
import { isAfter, type ThreadRow } from './thread-rows.ts'
import { isSameTop, topOfView, type TopOfView } from './top-of-view.ts'
import type { Opening } from './use-opening.ts'

/** How far down from the top the floating note and the line of text below it reach, in the text's size. */
const UNDER_NOTE_REM = 3.5
/** The floating note goes away when scrolling pauses. */
const SHOWN_MS = 1_500

type ViewInput = {
  rows: readonly ThreadRow[]
  window: MessageWindow
  opening: Opening
}

/** What of the thread is on the screen, has been, and is still to come. */
export function useView({ rows, window, opening }: ViewInput) {
  const memberId = useUserId()
  const { messages, hasNewer } = window
  // Without unread messages, those that arrive while the thread is open are the new ones.
  const [newSince] = useState(() =>
    opening.lastReadAt === undefined ? (messages.at(-1)?.sent_at ?? null) : opening.lastReadAt,
  )
  const [firstNewId] = useState(() => messageAfterLine(rows))
  const [openedWith] = useState(() => messages.at(-1)?.sent_at ?? null)
  const [seenUntil, setSeenUntil] = useState(newSince)
  const [isPastLine, setIsPastLine] = useState(false)
  const [top, setTop] = useState<TopOfView | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function onScrolled(list: VirtualizerHandle, offset: number) {
    const first = list.findItemIndex(offset)
    const shown = rows.slice(first, list.findItemIndex(offset + list.viewportSize) + 1)
    const upmost = shown.find((row) => row.kind === 'message')
    const showsLine = shown.some(({ kind }) => kind === 'new-messages')
    if (upmost) setIsPastLine(!showsLine && isAfter(upmost.message.sent_at, newSince))
    const last = shown.findLast((row) => row.kind === 'message')
    if (last) setSeenUntil((before) => laterOf(before, last.message.sent_at))
    const underNote = list.findItemIndex(offset + UNDER_NOTE_REM * textSize())
    const next = topOfView(rows.slice(first, underNote + 1), memberId)
    setTop((before) => (isSameTop(before, next) ? before : next))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setTop(null), SHOWN_MS)
  }

  const hasAnswered = messages.some(
    (message) => message.sender_id === memberId && isAfter(message.sent_at, openedWith),
  )
  const loaded = countNew(messages, memberId, seenUntil)
  const seenHere = countNew(messages, memberId, newSince) - loaded
  const [seen, setSeen] = useState(seenHere)
  // What was seen stays so when it is no longer loaded.
  if (seenHere > seen) setSeen(seenHere)
  return {
    onScrolled,
    top,
    firstNewId,
    /** What was unread on arrival, once its beginning was scrolled past, until it is answered. */
    unreadAbove: isPastLine && !hasAnswered ? opening.unreadCount : 0,
    newBelow: hasNewer ? Math.max(loaded, unseenOf(opening.unreadCount, seen)) : loaded,
  }
}

/** The list counts up to 100, so of more nobody knows how many are left. */
function unseenOf(unreadCount: number, seen: number): number {
  return unreadCount >= 100 ? unreadCount : unreadCount - seen
}

function messageAfterLine(rows: readonly ThreadRow[]): string | undefined {
  const row = rows[rows.findIndex(({ kind }) => kind === 'new-messages') + 1]
  return row?.kind === 'message' ? row.message.id : undefined
}

const textSize = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

function laterOf(before: string | null, time: string): string {
  return before !== null && compareTimes(before, time) > 0 ? before : time
}

function countNew(messages: readonly Message[], memberId: string, since: string | null): number {
  return messages.filter(
    (message) =>
      message.sender_id !== memberId && !message.is_deleted && isAfter(message.sent_at, since),
  ).length
}
