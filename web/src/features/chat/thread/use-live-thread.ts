import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { parseHeardMessage } from '#features/chat/live/heard-message.ts'
import { useUserId } from '#lib/session.ts'
import { watchTopic } from '#lib/watch-topic.ts'
import { catchUp } from './catch-up.ts'
import { messagesQuery } from './message-queries.ts'
import { hear } from './message-window.ts'

const TRY_AGAIN_AFTER_MS = 5_000

/** Keeps the open thread live, and fetches what it missed whenever the connection was away. */
export function useLiveThread(chatId: string): void {
  const client = useQueryClient()
  const memberId = useUserId()
  useEffect(() => watchThread(client, chatId, memberId), [client, chatId, memberId])
}

function watchThread(client: QueryClient, chatId: string, memberId: string): () => void {
  const { queryKey } = messagesQuery(chatId, memberId)
  /** Counts joins and leaves, so that catching up knows whether it still concerns this join. */
  let connection = 0
  let isJoined = false
  /** Everything up to the last message heard is known: caught up since the join, and never left. */
  let missedNothing = false
  let retry: ReturnType<typeof setTimeout> | undefined

  function fetchMissed() {
    clearTimeout(retry)
    const before = connection
    catchUp(client, chatId, memberId)
      .then(() => {
        if (isJoined && before === connection) missedNothing = true
      })
      // Silent: the thread shows what it has, and asks again.
      .catch((error: unknown) => {
        console.warn('Not caught up', error)
        if (isJoined) retry = setTimeout(fetchMissed, TRY_AGAIN_AFTER_MS)
      })
  }

  const stop = watchTopic(`chat:${chatId}`, {
    onJoined() {
      connection++
      isJoined = true
      missedNothing = false
      fetchMissed()
    },
    onLeft() {
      connection++
      isJoined = missedNothing = false
    },
    onEvent(event, payload) {
      if (event === 'participant_read' && payload.user_id !== memberId) {
        void client.invalidateQueries({ queryKey: ['chat_participants', 'seen'] })
      }
      if (event !== 'message_inserted' && event !== 'message_updated') return
      const message = parseHeardMessage(payload)
      if (!message) return
      client.setQueryData(queryKey, (window) => window && hear(window, message, missedNothing))
    },
  })

  function onReturn() {
    if (document.visibilityState === 'visible') fetchMissed()
  }
  onReturn()
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
