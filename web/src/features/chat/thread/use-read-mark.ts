import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callFunction } from '#lib/call-function.ts'
import { withChatRead } from '#features/chat/chat-list/patch-chat-list.ts'
import { chatListQuery } from '#features/chat/chat-queries.ts'
import { startReading } from '#features/chat/reading-chat.ts'
import { useUserId } from '#lib/session.ts'
import { useIsVisible } from '#features/chat/use-is-visible.ts'
import type { MessageWindow } from './message-window.ts'

/** Marks at once, then at most this often: a lively chat would otherwise write with every message. */
const MARK_INTERVAL_MS = 1_500
const MARK_TRIES = 8

/**
 * Marks the chat as read while it is in sight, and answers how far it was read before: the place
 * of the "new messages" line. Undefined: nothing was unread, so there is no line.
 */
export function useReadMark(
  chatId: string,
  window: MessageWindow | undefined,
): string | null | undefined {
  const memberId = useUserId()
  const isVisible = useIsVisible()
  const { data: chats } = useQuery(chatListQuery(memberId))
  const chat = chats?.find((each) => each.chat_id === chatId)
  const [before, setBefore] = useState<{ lastReadAt: string | null | undefined } | null>(null)
  if (!before && chats) {
    setBefore({ lastReadAt: chat && chat.unread_count > 0 ? chat.last_read_at : undefined })
  }

  useEffect(() => (isVisible ? startReading(chatId) : undefined), [isVisible, chatId])

  const isReady = before !== null && isVisible
  // The newest message by somebody else: a new one is reason to mark again.
  const newest = window?.messages.findLast((message) => message.sender_id !== memberId)?.id
  const readUntil = window?.hasNewer ? undefined : window?.messages.at(-1)?.sent_at
  const markRead = useMarkRead(chatId)
  useEffect(() => {
    if (!isReady) return
    const dueAt = (lastMarks.get(chatId) ?? 0) + MARK_INTERVAL_MS
    const delay = Math.max(0, dueAt - Date.now())
    const timer = setTimeout(() => markRead({ readUntil, markedAt: Date.now() }), delay)
    return () => clearTimeout(timer)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- an own message moves the end, and is no reason to mark
  }, [isReady, newest, chatId, markRead])

  return before?.lastReadAt
}

const lastMarks = new Map<string, number>()

type Mark = { readUntil: string | undefined; markedAt: number }

/**
 * Says that the chat is read. Without a connection that is said later, also when the chat was left meanwhile; what came
 * in since then stays unread.
 */
function useMarkRead(chatId: string) {
  const client = useQueryClient()
  const memberId = useUserId()
  const { mutate } = useMutation({
    scope: { id: `read ${chatId}` },
    mutationFn: ({ readUntil, markedAt }: Mark) => {
      const isLate = Date.now() - markedAt > MARK_INTERVAL_MS
      return callFunction('mark_chat_read', {
        chat_id: chatId,
        ...(isLate && { read_until: readUntil }),
      })
    },
    onMutate({ markedAt }) {
      lastMarks.set(chatId, markedAt)
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

/** Two seconds, four, eight and so on, up to half a minute; while offline the library waits for a connection. */
function retryDelayMs(failures: number): number {
  return Math.min(2_000 * 2 ** failures, 30_000)
}
