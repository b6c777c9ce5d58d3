import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { withLiveMessage } from '#features/chat/chat-list/patch-chat-list.ts'
import { chatListQuery } from '#features/chat/chat-queries.ts'
import { outboxOf } from '#features/chat/member-outbox.ts'
import { watchTopic } from '#lib/live/watch-topic.ts'
import { parseBroadcastMessage } from './broadcast-message.ts'
import { useLargeChats, watchLargeChats } from './large-chats.ts'
import { noteOwnReaction } from './own-reaction.ts'
import { throttle } from './throttle.ts'
import { useShowOnline } from './use-online.ts'

const REFRESH_INTERVAL_MS = 700

/** Keeps chat list, badge and permissions live, and the outbox running, while mounted. */
export function useLiveChats(memberId: string): void {
  const client = useQueryClient()
  const largeChats = useLargeChats(memberId)

  useEffect(() => watchMember(client, memberId), [client, memberId])
  useEffect(
    () => watchLargeChats(largeChats, (chatId) => watchLargeChat(client, memberId, chatId)),
    [client, memberId, largeChats],
  )
  useEffect(() => wakeOnReturn(memberId), [memberId])
  useShowOnline(memberId)
}

function watchMember(client: QueryClient, memberId: string): () => void {
  const refreshList = throttle(
    () => void client.invalidateQueries({ queryKey: ['chats'] }),
    REFRESH_INTERVAL_MS,
  )
  function refreshAll() {
    void client.invalidateQueries({ queryKey: ['users', 'own'] })
    refreshList()
  }
  return watchTopic(`user:${memberId}`, {
    // Permissions may have changed too while disconnected.
    onJoined: refreshAll,
    onEvent(event, payload) {
      if (event === 'chat_changed') refreshList()
      if (event === 'reaction_changed') noteOwnReaction(client, payload)
      if (event === 'permissions_changed') refreshAll()
    },
  })
}

function watchLargeChat(client: QueryClient, memberId: string, chatId: string): () => void {
  const { queryKey } = chatListQuery(memberId)
  const refreshList = throttle(() => void client.invalidateQueries({ queryKey }), 2_000)
  return watchTopic(`chat:${chatId}`, {
    onEvent(event, payload) {
      if (event === 'message_updated') refreshList()
      const message = event === 'message_inserted' ? parseBroadcastMessage(payload) : null
      if (!message) return
      client.setQueryData(queryKey, (chats) => chats && withLiveMessage(chats, message, memberId))
      // A response in flight may be older than this message.
      if (client.isFetching({ queryKey }) > 0) refreshList()
    },
  })
}

function wakeOnReturn(memberId: string): () => void {
  const outbox = outboxOf(memberId)
  const wake = () => {
    if (document.visibilityState === 'visible') outbox.wake()
  }
  window.addEventListener('online', wake)
  document.addEventListener('visibilitychange', wake)
  return () => {
    window.removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', wake)
  }
}
