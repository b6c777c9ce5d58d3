import { MessageCirclePlus } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { Chat } from '#features/chat/chat-queries.ts'
import type { OutboxEntry } from '#features/chat/outbox/outbox-entry.ts'
import { m } from '#lib/messages/messages.js'
import { useUserId } from '#lib/supabase/session.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Spinner } from '#ui/spinner.tsx'
import type { Composing } from './composing.ts'
import { FloatingNotes, ToLatestButton } from './floating-notes.tsx'
import type { MessageWindow } from './message-window.ts'
import { ThreadRowView } from './thread-row-view.tsx'
import { type ThreadRow, threadRows } from './thread-rows.ts'
import { useHistory } from './use-history.ts'
import type { Jump } from './use-jump.ts'
import type { Opening } from './use-opening.ts'
import { useView } from './use-view.ts'

/** Closer to an end than this, more history is loaded. */
const LOAD_WITHIN_PX = 600
/** Until the thread has its initial position, it passes its first message, which is not a scroll up. */
const PLACING_MS = 300
/** Closer to the end than this, a new message is scrolled into view. */
const STICK_WITHIN_PX = 80

type MessageListProps = {
  chat: Chat
  window: MessageWindow
  pending: readonly OutboxEntry[]
  opening: Opening
  jump: Jump
  typingIds: readonly string[]
  onCompose: (composing: Composing) => void
}

/** The messages, newest at the bottom, virtualized. */
export function MessageList(props: MessageListProps) {
  const { chat, window, pending, opening, jump, typingIds, onCompose } = props
  const memberId = useUserId()
  const { loadOlder, loadNewer } = useHistory(chat.id)
  const list = useRef<VirtualizerHandle>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const isPlaced = useRef(false)
  const [showsToLatest, setShowsToLatest] = useState(false)

  const rows = threadRows({
    messages: window.messages,
    pending: window.hasNewer ? [] : pending,
    memberId,
    lastReadAt: opening.lastReadAt,
    hasOlder: window.hasOlder,
  })
  const lastKey = rows.at(-1)?.key
  const newest = window.messages.at(-1)
  const seenId = newest?.sender_id === memberId && !window.hasNewer ? newest.id : null
  rows.push({ kind: 'tail', key: 'tail', seenId, typingIds })
  const isPrepending = usePrepending(window)
  const view = useView({ rows, window, opening })

  function scrollToEnd() {
    list.current?.scrollToIndex(rows.length - 1, { align: 'end' })
  }

  function loadNearTheEnds(offset = list.current?.scrollOffset ?? 0) {
    if (offset < LOAD_WITHIN_PX) void loadOlder()
    if (list.current && pxToTheEnd(list.current, offset) < LOAD_WITHIN_PX) void loadNewer()
  }

  useLayoutEffect(() => {
    const startAt = rows.findIndex((row) => row.kind === 'new-messages')
    isAtEnd.current = startAt <= 0
    const timer = setTimeout(() => {
      isPlaced.current = true
      // If already at the top, no further scroll event follows.
      loadNearTheEnds()
    }, PLACING_MS)
    if (startAt > 0) list.current?.scrollToIndex(startAt, { align: 'start', offset: -48 })
    else scrollToEnd()
    return () => clearTimeout(timer)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- where a thread opens is decided once
  }, [])

  // A row was added at the end: follow it, unless the member is reading further up, or it isn't really the
  // end: after a long absence, reading continues where it stopped.
  useLayoutEffect(() => {
    if (window.hasNewer) isAtEnd.current = false
    if (isAtEnd.current) scrollToEnd()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a new last row is the event, not what is drawn with it
  }, [lastKey])

  useEffect(() => {
    if (!jump.target) return
    const { messageId } = jump.target
    isAtEnd.current = messageId === null
    if (messageId === null) return scrollToEnd()
    const index = rows.findIndex((row) => row.key === messageId)
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'center' })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a jump is followed once, not on every new row
  }, [jump.target])

  function onScroll(offset: number) {
    const handle = list.current
    if (!handle) return
    const fromEnd = pxToTheEnd(handle, offset)
    isAtEnd.current = fromEnd < STICK_WITHIN_PX && !window.hasNewer
    setShowsToLatest(fromEnd > handle.viewportSize || window.hasNewer)
    view.onScrolled(handle, offset)
    if (isPlaced.current) loadNearTheEnds(offset)
  }

  // Images, a growing composer, the keyboard: stay at the end.
  function onResize() {
    if (isAtEnd.current) scrollToEnd()
  }

  return (
    <>
      <div
        ref={scroller}
        role="log"
        aria-label={m.chat_thread_label()}
        tabIndex={0}
        className="flex h-full flex-col overflow-y-auto overscroll-contain px-4 [overflow-anchor:none] lg:px-6"
      >
        <div className="grow" />
        <TopOfHistory hasOlder={window.hasOlder} isEmpty={lastKey === undefined} />
        <Virtualizer
          ref={list}
          data={rows}
          shift={isPrepending}
          scrollRef={scroller}
          startMargin={48}
          onScroll={onScroll}
          onResize={onResize}
        >
          {(row: ThreadRow) => (
            <ThreadRowView
              key={row.key}
              row={row}
              chat={chat}
              isHighlighted={row.key === jump.highlightedId}
              onJump={jump.to}
              onCompose={onCompose}
            />
          )}
        </Virtualizer>
      </div>
      <FloatingNotes
        top={view.top}
        showsName={chat.type !== 'individual'}
        newCount={view.firstNewId ? view.unreadAbove : 0}
        onToFirstNew={() => view.firstNewId && jump.to(view.firstNewId)}
      />
      {showsToLatest && <ToLatestButton newCount={view.newBelow} onClick={jump.toLatest} />}
    </>
  )
}

function pxToTheEnd({ scrollSize, viewportSize }: VirtualizerHandle, offset: number): number {
  return scrollSize - viewportSize - offset
}

function TopOfHistory({ hasOlder, isEmpty }: { hasOlder: boolean; isEmpty: boolean }) {
  if (isEmpty && !hasOlder) {
    return <EmptyState picture={<MessageCirclePlus />} title={m.chat_thread_empty()} />
  }
  return (
    <div className="grid h-12 flex-none place-content-center text-center text-note text-muted">
      {hasOlder ? <Spinner className="size-4" /> : m.chat_start_of_chat()}
    </div>
  )
}

/** Whether this render only prepended messages: then the scroll position is kept. */
function usePrepending({ messages }: MessageWindow): boolean {
  const first = messages[0]?.id
  const last = messages.at(-1)?.id
  const [edges, setEdges] = useState({ first, last, isPrepending: false })
  if (edges.first === first && edges.last === last) return edges.isPrepending
  const isPrepending = edges.first !== first && edges.last === last
  setEdges({ first, last, isPrepending })
  return isPrepending
}
