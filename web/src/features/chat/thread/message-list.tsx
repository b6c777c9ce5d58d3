import { MessageCirclePlus } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { Chat } from '#features/chat/chat-queries.ts'
import type { OutboxEntry } from '#features/chat/outbox/outbox-entry.ts'
import { m } from '#lib/messages/messages.js'
import { useUserId } from '#lib/session.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Spinner } from '#ui/spinner.tsx'
import type { Composing } from './composing.ts'
import type { MessageWindow } from './message-window.ts'
import { ThreadRowView } from './thread-row-view.tsx'
import { threadRows, type ThreadRow } from './thread-rows.ts'
import { ToLatestButton } from './to-latest-button.tsx'
import { useHistory } from './use-history.ts'
import type { Jump } from './use-jump.ts'

/** Closer to an end than this, more of the history is fetched. */
const LOAD_WITHIN_PX = 600
/** Until a thread stands where it opens, it passes its first message, which is not scrolling up. */
const PLACING_MS = 300
/** Closer to the end than this, a new message is scrolled into sight. */
const STICK_WITHIN_PX = 80

type MessageListProps = {
  chat: Chat
  window: MessageWindow
  pending: readonly OutboxEntry[]
  lastReadAt: string | null | undefined
  jump: Jump
  typingIds: readonly string[]
  onCompose: (composing: Composing) => void
}

/** The messages, newest at the bottom. Only what is near the screen is in the document. */
export function MessageList(props: MessageListProps) {
  const { chat, window, pending, lastReadAt, jump, typingIds, onCompose } = props
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
    lastReadAt,
  })
  const lastKey = rows.at(-1)?.key
  const newest = window.messages.at(-1)
  const seenId = newest?.sender_id === memberId && !window.hasNewer ? newest.id : null
  rows.push({ kind: 'tail', key: 'tail', seenId, typingIds })
  const isPrepending = usePrepending(window)

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
      // Who was quicker than that stands at the top already and scrolls no further.
      loadNearTheEnds()
    }, PLACING_MS)
    if (startAt > 0) list.current?.scrollToIndex(startAt, { align: 'start', offset: -48 })
    else scrollToEnd()
    return () => clearTimeout(timer)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- where a thread opens is decided once
  }, [])

  // A row at the end appeared: follow it, unless the member is reading further up, or it is not the end: after a long
  // absence the reading goes on where it stopped.
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
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a wish to go somewhere is followed once, not with each row
  }, [jump.target])

  function onScroll(offset: number) {
    const handle = list.current
    if (!handle) return
    const fromEnd = pxToTheEnd(handle, offset)
    isAtEnd.current = fromEnd < STICK_WITHIN_PX && !window.hasNewer
    setShowsToLatest(fromEnd > handle.viewportSize || window.hasNewer)
    if (isPlaced.current) loadNearTheEnds(offset)
  }

  // Images, a growing composer, the keyboard: what stood at the end stays there.
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
      {showsToLatest && <ToLatestButton onClick={jump.toLatest} />}
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

/** Whether this drawing added messages before the first one only: then the view holds its place. */
function usePrepending({ messages }: MessageWindow): boolean {
  const first = messages[0]?.id
  const last = messages.at(-1)?.id
  const [edges, setEdges] = useState({ first, last, isPrepending: false })
  if (edges.first === first && edges.last === last) return edges.isPrepending
  const isPrepending = edges.first !== first && edges.last === last
  setEdges({ first, last, isPrepending })
  return isPrepending
}
