import { useQuery, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readAgain } from '#data/live/read-again.ts'
import { watchTopic } from '#data/live/watch-topic.ts'
import { blockedPeopleQuery, CHANGED_BY_BLOCK } from '#domain/blocked-people.ts'
import { draftChanged, meetDrafts, saveDrafts } from '#features/chat/chat-drafts.ts'
import { withLiveMessage } from '#features/chat/chat-list/patch-chat-list.ts'
import { chatListQuery } from '#features/chat/chat-queries.ts'
import { outboxOf } from '#features/chat/member-outbox.ts'
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
  const { data: chats } = useQuery(chatListQuery(memberId))
  useEffect(() => meetDrafts(memberId, chats ?? []), [memberId, chats])
  useShowOnline(memberId)
}

function watchMember(client: QueryClient, memberId: string): () => void {
  const refreshList = throttle(() => refreshChats(client, ['chats']), REFRESH_INTERVAL_MS)
  function refreshAll() {
    readAgain(client, { queryKey: ['users', 'own'] })
    refreshList()
    saveDrafts(memberId)
  }
  return watchTopic(`user:${memberId}`, {
    // Permissions may have changed too while disconnected.
    onJoined: refreshAll,
    onEvent(event, payload) {
      if (event === 'chat_changed') refreshList()
      if (event === 'draft_changed') void draftChanged(memberId, payload)
      if (event === 'saved_changed') readAgain(client, { queryKey: ['saved_messages'] })
      if (event === 'reaction_changed') noteOwnReaction(client, payload)
      if (event === 'permissions_changed') refreshAll()
      if (event === 'blocks_changed')
        for (const table of CHANGED_BY_BLOCK) readAgain(client, { queryKey: [table] })
    },
  })
}

function watchLargeChat(client: QueryClient, memberId: string, chatId: string): () => void {
  const { queryKey } = chatListQuery(memberId)
  const refreshList = throttle(() => refreshChats(client, queryKey), 2_000)
  return watchTopic(`chat:${chatId}`, {
    onEvent(event, payload) {
      if (event === 'message_updated') refreshList()
      const message = event === 'message_inserted' ? parseBroadcastMessage(payload) : null
      if (!message) return
      const blocked = client.getQueryData(blockedPeopleQuery(memberId).queryKey)
      // What they write does not count; the server knows.
      if (blocked?.some(({ id }) => id === message.sender_id)) return refreshList()
      client.setQueryData(queryKey, (chats) => chats && withLiveMessage(chats, message, memberId))
      // A response in flight may be older than this message.
      if (client.isFetching({ queryKey }) > 0) refreshList()
    },
  })
}

function refreshChats(client: QueryClient, queryKey: QueryKey) {
  // A pending mutation invalidates the chats when it settles; refetching now would undo the optimistic update.
  if (client.isMutating({ mutationKey: ['chats'] }) > 0) return
  readAgain(client, { queryKey })
}

function wakeOnReturn(memberId: string): () => void {
  const outbox = outboxOf(memberId)
  const wake = () => {
    if (document.visibilityState === 'visible') outbox.wake()
    else saveDrafts(memberId)
  }
  window.addEventListener('online', wake)
  document.addEventListener('visibilitychange', wake)
  return () => {
    window.removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', wake)
  }
}
