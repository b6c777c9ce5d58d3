import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { callFunction } from '#data/call-function.ts'
import { useUserId } from '#data/session/session.ts'
import { chatListQuery } from '#features/chat/model/chat-queries.ts'
import type { MessageWindow } from '#features/chat/model/message-window.ts'
import { withChatRead } from '#features/chat/model/patch-chat-list.ts'
import { readMarksOf, startReading } from '#features/chat/model/reading-chat.ts'
import { useIsVisible } from '#features/chat/model/use-is-visible.ts'
import type { Opening } from './use-opening.ts'

/** Marks at once, then throttled: an active chat would otherwise cause a write per message. */
const MARK_INTERVAL_MS = 1_500
const MARK_TRIES = 8

/**
 * Marks the chat as read while it is visible. While newer messages are not loaded yet, only up to the last
 * loaded one: those below it have not been on the screen.
 */
export function useReadMark(
  chatId: string,
  opening: Opening | null,
  window: MessageWindow | undefined,
): void {
  const memberId = useUserId()
  const isVisible = useIsVisible()
  useEffect(() => (isVisible ? startReading(chatId) : undefined), [isVisible, chatId])

  const isReady = opening?.isFinal === true && window !== undefined && isVisible
  const isPartial = window?.hasNewer ?? false
  const isCopy = window?.copiedAt !== undefined
  // The newest message by somebody else: a new one triggers another mark.
  const newest = window?.messages.findLast((message) => message.sender_id !== memberId)?.id
  const readUntil = window?.messages.at(-1)?.sent_at
  const markRead = useMarkRead(chatId)
  const due = useRef<() => void>(undefined)
  useEffect(() => {
    if (!isReady) return
    const dueAt = (lastMarks.get(chatId) ?? 0) + MARK_INTERVAL_MS
    const delay = Math.max(0, dueAt - Date.now())
    function mark() {
      due.current = undefined
      markRead({ readUntil, isPartial, isCopy, markedAt: Date.now() })
    }
    due.current = mark
    const timer = setTimeout(mark, delay)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- an own message moves the end, and is no reason to mark
  }, [isReady, isPartial, newest, chatId, markRead])
  // Left before the next mark was due: what was on the screen counts.
  useEffect(() => () => due.current?.(), [])
}

const lastMarks = new Map<string, number>()

type Mark = {
  readUntil: string | undefined
  isPartial: boolean
  isCopy: boolean
  markedAt: number
}

/**
 * Sends the read mark. Offline it is sent later, also if the chat was left meanwhile; messages since then
 * stay unread.
 */
function useMarkRead(chatId: string) {
  const client = useQueryClient()
  const memberId = useUserId()
  const { mutate } = useMutation({
    scope: readMarksOf(chatId),
    mutationFn: ({ readUntil, isPartial, isCopy, markedAt }: Mark) => {
      const isLate = Date.now() - markedAt > MARK_INTERVAL_MS
      return callFunction('mark_chat_read', {
        chat_id: chatId,
        ...((isLate || isPartial || isCopy) && { read_until: readUntil }),
      })
    },
    onMutate({ isPartial, markedAt }) {
      lastMarks.set(chatId, markedAt)
      if (isPartial) return
      const { queryKey } = chatListQuery(memberId)
      client.setQueryData(queryKey, (chats) => chats && withChatRead(chats, chatId))
    },
    retry: MARK_TRIES,
    retryDelay: retryDelayMs,
    // Silent, like every failure of the unread count.
    onError: (error) => console.warn('Not marked as read', error),
  })
  return mutate
}

/**
 * Two seconds, four, eight and so on, up to half a minute; while offline the library waits for a connection.
 */
function retryDelayMs(failures: number): number {
  return Math.min(2_000 * 2 ** failures, 30_000)
}
