import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { useUserId } from '#data/session/session.ts'
import { chatListQuery } from '#features/chat/model/chat-queries.ts'
import type { ChatSummary } from '#features/chat/model/chat-types.ts'
import { messagesQuery } from '#features/chat/model/message-queries.ts'
import {
  compareTimes,
  type MessageWindow,
  newestPart,
} from '#features/chat/model/message-window.ts'
import { catchUp } from './catch-up.ts'
import { loadAround } from './load-around.ts'
import { firstUnreadId } from './thread-rows.ts'

/** How long a thread waits for its first unread message once the newest messages are there. */
const LONGEST_WAIT_MS = 5_000

export type Opening = {
  /** How far the chat was read before; undefined if nothing is unread. */
  lastReadAt: string | null | undefined
  /** As counted by the list, which stops at 100. */
  unreadCount: number
  /** The first unread message; undefined if the thread opens at its end. */
  firstUnreadId: string | undefined
  /** Decided by what the server says. Until then a copy of the device is shown, and nothing counts as read. */
  isFinal: boolean
}

/**
 * Where a thread opens: at its first unread message, however many there are, else at the newest one. Null
 * until that part of the history is loaded.
 */
export function useOpening(chatId: string, linkedId: string | null): Opening | null {
  const client = useQueryClient()
  const memberId = useUserId()
  const { data: chats, isPending } = useQuery(chatListQuery(memberId))
  // A copy may not know of what was said since.
  const { isAwaited } = useCopyState(chatListQuery(memberId))
  const [opening, setOpening] = useState<Opening | null>(null)

  useEffect(() => {
    const { queryKey } = messagesQuery(chatId, memberId)
    if (linkedId) return
    // Reopened after reading far back: start at the newest message, with a small window.
    client.setQueryData(queryKey, (window) => window && newestPart(window))
    if (client.getQueryData(queryKey)?.hasNewer) void client.resetQueries({ queryKey })
  }, [client, chatId, memberId, linkedId])

  useEffect(() => {
    // Decided once, on arrival; a chat that isn't in the list, such as a hidden one, opens at its end.
    if (isPending || opening?.isFinal) return
    const { queryKey } = messagesQuery(chatId, memberId)
    let isLate = false
    const chat = chats?.find((each) => each.chat_id === chatId)
    const unread = chat && chat.unread_count > 0 ? chat : null
    const lastReadAt = unread?.last_read_at
    function show(isFinal: boolean) {
      const { messages = [], hasOlder = false } = client.getQueryData(queryKey) ?? {}
      setOpening({
        lastReadAt,
        unreadCount: unread?.unread_count ?? 0,
        firstUnreadId: linkedId
          ? undefined
          : firstUnreadId({ messages, memberId, lastReadAt, hasOlder }),
        isFinal,
      })
    }
    function open() {
      if (isLate) return
      isLate = true
      show(true)
    }
    if (isAwaited) return show(false)
    if (!unread || linkedId) return open()
    if (client.getQueryData(queryKey)?.copiedAt) show(false)
    void reachUnread(client, unread, memberId, () => isLate)
      // What is loaded is shown anyway, and also if the server takes its time.
      .catch((error: unknown) => console.warn('Could not load the first unread message', error))
      .then(open)
    let timer: ReturnType<typeof setTimeout> | undefined
    // A first page that never comes is reported by the pane.
    client.ensureQueryData(messagesQuery(chatId, memberId)).then(
      () => (timer = setTimeout(open, LONGEST_WAIT_MS)),
      () => {},
    )
    return () => {
      isLate = true
      clearTimeout(timer)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- a change of the list is no new arrival
  }, [client, chatId, memberId, isPending, isAwaited])

  return opening
}

/** Loads the messages around the first unread one, unless they are loaded. */
async function reachUnread(
  client: QueryClient,
  chat: ChatSummary,
  memberId: string,
  isTooLate: () => boolean,
): Promise<void> {
  const query = messagesQuery(chat.chat_id, memberId)
  let window = await client.ensureQueryData(query)
  if (window.copiedAt) {
    await Promise.race([catchUp(client, chat.chat_id, memberId), untilNoCopy(client, query)])
    window = client.getQueryData(query.queryKey) ?? window
  }
  if (reaches(window, chat)) return
  const around = await loadAround(chat.chat_id, memberId, chat.last_read_at)
  if (!isTooLate()) client.setQueryData(query.queryKey, around)
}

function untilNoCopy(client: QueryClient, { queryKey }: ReturnType<typeof messagesQuery>) {
  return new Promise<void>((resolve) => {
    const stop = client.getQueryCache().subscribe(() => {
      if (client.getQueryData(queryKey)?.copiedAt) return
      stop()
      resolve()
    })
  })
}

function reaches({ messages, hasOlder }: MessageWindow, chat: ChatSummary): boolean {
  const [first] = messages
  const isLastRead =
    first && chat.last_read_at && compareTimes(first.sent_at, chat.last_read_at) <= 0
  const isCurrent = messages.some(({ id }) => id === chat.last_message_id)
  return isCurrent && (!hasOlder || Boolean(isLastRead))
}
