import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
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

/**
 * Marks the chat as read while it is in sight, and answers how far it was read before: the place
 * of the "new messages" line. Undefined: nothing was unread, so there is no line.
 */
export function useReadMark(
  chatId: string,
  window: MessageWindow | undefined,
): string | null | undefined {
  const memberId = useUserId()
  const client = useQueryClient()
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
  useEffect(() => {
    if (!isReady) return
    const dueAt = (lastMarks.get(chatId) ?? 0) + MARK_INTERVAL_MS
    const delay = Math.max(0, dueAt - Date.now())
    const timer = setTimeout(() => markRead(client, memberId, chatId), delay)
    return () => clearTimeout(timer)
  }, [isReady, newest, chatId, client, memberId])

  return before?.lastReadAt
}

const lastMarks = new Map<string, number>()

function markRead(client: QueryClient, memberId: string, chatId: string): void {
  lastMarks.set(chatId, Date.now())
  const { queryKey } = chatListQuery(memberId)
  client.setQueryData(queryKey, (chats) => chats && withChatRead(chats, chatId))
  // Silent, like every failure of the unread count; the next message marks again.
  callFunction('mark_chat_read', { chat_id: chatId }).catch((error: unknown) =>
    console.warn('Not marked as read', error),
  )
}
