import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readAgain } from '#data/live/read-again.ts'
import { watchTopic } from '#data/live/watch-topic.ts'
import { useUserId } from '#data/session/session.ts'
import { parseBroadcastMessage } from '#features/chat/model/broadcast-message.ts'
import { chatQuery } from '#features/chat/model/chat-queries.ts'
import { loadMessage, messagesQuery } from '#features/chat/model/message-queries.ts'
import {
  addLiveMessage,
  addMessage,
  type MessageWindow,
} from '#features/chat/model/message-window.ts'
import { catchUp } from './catch-up.ts'
import { notePinnedText, notePins } from './pins.ts'

const TRY_AGAIN_AFTER_MS = 5_000

/** Keeps the open thread live, and catches up after every reconnect. */
export function useLiveThread(chatId: string): void {
  const client = useQueryClient()
  const memberId = useUserId()
  useEffect(() => watchThread(client, chatId, memberId), [client, chatId, memberId])
}

function watchThread(client: QueryClient, chatId: string, memberId: string): () => void {
  const { queryKey } = messagesQuery(chatId, memberId)
  /** Counts joins and leaves, so that catching up knows whether it still applies to this join. */
  let connection = 0
  let isJoined = false
  /** Complete up to the last live message: caught up since the join, and never disconnected. */
  let missedNothing = false
  let retry: ReturnType<typeof setTimeout> | undefined

  function fetchMissed() {
    clearTimeout(retry)
    const before = connection
    catchUp(client, chatId, memberId)
      .then(() => {
        if (isJoined && before === connection) missedNothing = true
      })
      // Silent: the thread shows what it has, and retries.
      .catch((error: unknown) => {
        console.warn('Could not catch up', error)
        if (isJoined) retry = setTimeout(fetchMissed, TRY_AGAIN_AFTER_MS)
      })
  }

  function refetchSeen() {
    readAgain(client, { queryKey: ['chat_participants', 'seen'] })
  }

  const stop = watchTopic(`chat:${chatId}`, {
    onJoined() {
      connection++
      isJoined = true
      missedNothing = false
      fetchMissed()
      // Somebody may have read the chat before the topic was joined, or pinned a message.
      refetchSeen()
      readAgain(client, chatQuery(chatId))
    },
    onLeft() {
      connection++
      isJoined = missedNothing = false
    },
    onEvent(event, payload) {
      if (event === 'pins_changed') notePins(client, chatId, payload)
      if (event === 'participant_read' && payload.user_id !== memberId) refetchSeen()
      if (event !== 'message_inserted' && event !== 'message_updated') return
      const message = parseBroadcastMessage(payload)
      if (!message) return
      client.setQueryData(
        queryKey,
        (window) => window && addLiveMessage(window, message, missedNothing),
      )
      notePinnedText(client, message)
      if (message.is_deleted && message.sender_id === memberId) void showReason(message.id)
    },
  })

  /** If an admin removed the member's own message, its row says why. */
  async function showReason(messageId: string) {
    const message = await loadMessage(messageId, memberId).catch(() => null)
    if (message) client.setQueryData(queryKey, (window) => window && addMessage(window, message))
  }

  function onReturn() {
    if (document.visibilityState === 'visible') fetchMissed()
  }
  // What was just read is caught up with after the join.
  if (!isFresh(client.getQueryData(queryKey))) onReturn()
  window.addEventListener('online', onReturn)
  document.addEventListener('visibilitychange', onReturn)
  return () => {
    stop()
    clearTimeout(retry)
    isJoined = false
    window.removeEventListener('online', onReturn)
    document.removeEventListener('visibilitychange', onReturn)
  }
}

const FRESH_MS = 5_000

/** Still being read, or read from the server a moment ago. */
function isFresh(window: MessageWindow | undefined): boolean {
  if (!window) return true
  return !window.copiedAt && Math.abs(Date.now() - (window.readAt ?? 0)) < FRESH_MS
}
