import { MessageCirclePlus } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { useUserId } from '#data/session/session.ts'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import type { Composing } from '#features/chat/model/composing.ts'
import type { MessageWindow } from '#features/chat/model/message-window.ts'
import type { OutboxEntry } from '#features/chat/outbox/outbox-entry.ts'
import { m } from '#lib/messages/messages.js'
import { useReach } from '#lib/server/server-reach.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { FloatingNotes, ToLatestButton } from './floating-notes.tsx'
import type { AskedSheet } from './message-sheets.tsx'
import { ThreadRowView } from './thread-row-view.tsx'
import { lastOwnId, type ThreadRow, threadRows } from './thread-rows.ts'
import { useDrawnWindow } from './use-drawn-window.ts'
import { useEnd } from './use-end.ts'
import { useHeldRow } from './use-held-row.ts'
import { useHistory } from './use-history.ts'
import type { Jump } from './use-jump.ts'
import type { Opening } from './use-opening.ts'
import { useView } from './use-view.ts'

/** Closer to an end than this, more history is loaded. */
const LOAD_WITHIN_PX = 600
/** Until the thread has its initial position, it passes its first message, which is not a scroll up. */
const PLACING_MS = 300

/** The key of the row below the last message. */
const TAIL = 'tail'

type MessageListProps = {
  chat: Chat
  window: MessageWindow
  pending: readonly OutboxEntry[]
  opening: Opening
  jump: Jump
  typingIds: readonly string[]
  onCompose: (composing: Composing) => void
  onAsk: (asked: AskedSheet) => void
}

/** The messages, newest at the bottom, virtualized. */
export function MessageList(props: MessageListProps) {
  const { chat, pending, opening, jump, typingIds, onCompose, onAsk } = props
  const { window, isShift } = useDrawnWindow(props.window)
  const memberId = useUserId()
  const isOnline = useReach() === 'online'
  const { loadOlder, loadNewer, forgetFarOlder, hasFailed } = useHistory(chat.id)
  const list = useRef<VirtualizerHandle>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const end = useEnd(scroller)
  const isPlaced = useRef(false)

  const { lastReadAt } = opening
  // Not again for what scrolling alone changes.
  const stored = useMemo(() => {
    const { messages, hasOlder, hasNewer } = window
    return threadRows({
      messages,
      pending: hasNewer ? [] : pending,
      memberId,
      lastReadAt,
      hasOlder,
    })
  }, [window, pending, memberId, lastReadAt])
  const lastKey = stored.at(-1)?.key
  const seenId = window.hasNewer ? null : lastOwnId(stored, memberId)
  const rows: ThreadRow[] = [...stored, { kind: 'tail', key: TAIL, seenId, typingIds }]
  const view = useView({ rows, window, opening })

  const held = useHeldRow({
    scroller,
    place(key) {
      const index = rows.findIndex((row) => row.key === key)
      if (rows[index]?.kind === 'new-messages')
        list.current?.scrollToIndex(index, { align: 'start', offset: -48 })
      else if (rows[index]?.kind === 'tail') list.current?.scrollToIndex(index, { align: 'end' })
      else if (index >= 0) list.current?.scrollToIndex(index, { align: 'center' })
    },
    onReleased: () => end.onScrolled(!window.hasNewer),
  })

  function scrollToEnd() {
    held.letGo()
    list.current?.scrollToIndex(rows.length - 1, { align: 'end' })
  }

  function loadNearTheEnds(offset = list.current?.scrollOffset ?? 0) {
    if (offset < LOAD_WITHIN_PX) void loadOlder()
    if (list.current && pxToTheEnd(list.current, offset) < LOAD_WITHIN_PX) void loadNewer()
  }

  useLayoutEffect(() => {
    const startAt = rows.findIndex((row) => row.kind === 'new-messages')
    end.follow(startAt <= 0)
    const timer = setTimeout(() => {
      isPlaced.current = true
      // If already at the top, no further scroll event follows.
      loadNearTheEnds()
    }, PLACING_MS)
    const line = rows[startAt]
    if (line && startAt > 0) held.hold(line.key)
    else scrollToEnd()
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- where a thread opens is decided once
  }, [])

  // A row was added at the end: follow it, unless the member is reading further up, or it isn't really the
  // end: after a long absence, reading continues where it stopped.
  useLayoutEffect(() => {
    if (window.hasNewer) end.follow(false)
    if (!end.isFollowed()) return
    scrollToEnd()
    forgetFarOlder()
    // oxlint-disable-next-line react/exhaustive-deps -- a new last row is the event, not what is drawn with it
  }, [lastKey])

  // A scroll event is not enough: the list may be at its very end already, or the load before may have failed.
  useEffect(() => {
    if (!isPlaced.current) return
    const frame = requestAnimationFrame(() => loadNearTheEnds())
    return () => cancelAnimationFrame(frame)
    // oxlint-disable-next-line react/exhaustive-deps -- not again for what scrolling changes
  }, [window, isOnline])

  useEffect(() => {
    if (!jump.target) return
    const { messageId } = jump.target
    end.follow(messageId === null)
    // The end as well: just loaded, it takes the place of the rows that were there, and the list moves meanwhile.
    held.hold(messageId ?? TAIL)
    // oxlint-disable-next-line react/exhaustive-deps -- a jump is followed once, not on every new row
  }, [jump.target])

  function onScroll(offset: number) {
    const handle = list.current
    if (!handle) return
    if (!held.isHolding()) end.onScrolled(!window.hasNewer)
    end.measure()
    view.onScrolled(handle, offset)
    if (isPlaced.current) loadNearTheEnds(offset)
  }

  return (
    <>
      <div
        ref={scroller}
        role="log"
        aria-label={m.chat_thread_label()}
        tabIndex={0}
        className="flex h-full flex-col overflow-y-auto overscroll-contain px-thread [overflow-anchor:none]"
      >
        <div className="grow" />
        <TopOfHistory
          hasOlder={window.hasOlder}
          isEmpty={lastKey === undefined}
          onRetry={hasFailed ? () => loadNearTheEnds() : undefined}
        />
        <Virtualizer
          ref={list}
          data={rows}
          shift={isShift}
          scrollRef={scroller}
          startMargin={48}
          onScroll={onScroll}
        >
          {(row: ThreadRow) => (
            <ThreadRowView
              key={row.key}
              row={row}
              chat={chat}
              isHighlighted={row.key === jump.highlightedId}
              onJump={jump.to}
              onCompose={onCompose}
              onAsk={onAsk}
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
      {(end.isFar || window.hasNewer) && (
        <ToLatestButton newCount={view.newBelow} onClick={jump.toLatest} />
      )}
    </>
  )
}

function pxToTheEnd({ scrollSize, viewportSize }: VirtualizerHandle, offset: number): number {
  return scrollSize - viewportSize - offset
}

type TopOfHistoryProps = {
  hasOlder: boolean
  isEmpty: boolean
  /** After a load that failed. */
  onRetry: (() => void) | undefined
}

function TopOfHistory({ hasOlder, isEmpty, onRetry }: TopOfHistoryProps) {
  if (isEmpty && !hasOlder) {
    return <EmptyState picture={<MessageCirclePlus />} title={m.chat_thread_empty()} />
  }
  return (
    <div className="grid h-12 flex-none place-content-center text-center text-note text-muted">
      {hasOlder && !onRetry && <Spinner className="size-4" />}
      {hasOlder && onRetry && (
        <Button variant="plain" size="sm" onClick={onRetry}>
          {m.ui_try_again()}
        </Button>
      )}
      {!hasOlder && m.chat_start_of_chat()}
    </div>
  )
}
