import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { parseHeardMessage } from '#features/chat/live/heard-message.ts'
import { watchTopic } from '#features/chat/live/watch-topic.ts'
import { useUserId } from '#lib/session.ts'
import { catchUp } from './catch-up.ts'
import { messagesQuery } from './message-queries.ts'
import { addLiveMessage } from './message-window.ts'

/** Keeps the open thread live, and fetches what it missed whenever the connection was away. */
export function useLiveThread(chatId: string): void {
  const client = useQueryClient()
  const memberId = useUserId()

  useEffect(() => watchThread(client, chatId, memberId), [client, chatId, memberId])
  useEffect(() => {
    const missed = () => {
      if (document.visibilityState === 'visible') fetchMissed(client, chatId, memberId)
    }
    missed()
    window.addEventListener('online', missed)
    document.addEventListener('visibilitychange', missed)
    return () => {
      window.removeEventListener('online', missed)
      document.removeEventListener('visibilitychange', missed)
    }
  }, [client, chatId, memberId])
}

function watchThread(client: QueryClient, chatId: string, memberId: string): () => void {
  const { queryKey } = messagesQuery(chatId, memberId)
  return watchTopic(`chat:${chatId}`, {
    onJoined: () => fetchMissed(client, chatId, memberId),
    onEvent(event, payload) {
      if (event === 'participant_read' && payload.user_id !== memberId) {
        void client.invalidateQueries({ queryKey: ['chat_participants', 'seen'] })
      }
      if (event !== 'message_inserted' && event !== 'message_updated') return
      const message = parseHeardMessage(payload)
      if (message)
        client.setQueryData(queryKey, (window) => window && addLiveMessage(window, message))
    },
  })
}

// Silent: the thread shows what it has, and the next chance to ask comes by itself.
function fetchMissed(client: QueryClient, chatId: string, memberId: string): void {
  catchUp(client, chatId, memberId).catch((error: unknown) => console.warn('Not caught up', error))
}
