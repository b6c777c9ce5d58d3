import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { outdater, OUTDATED_BY_MENTION } from '#data/live/use-live-member.ts'
import { watchTopic } from '#data/live/watch-topic.ts'
import { blockedPeopleQuery } from '#domain/blocked-people.ts'
import { parseBroadcastMessage } from '#features/chat/model/broadcast-message.ts'
import { draftChanged, meetDrafts, saveDrafts } from '#features/chat/model/chat-drafts.ts'
import { chatListQuery } from '#features/chat/model/chat-queries.ts'
import type { ChatSummary } from '#features/chat/model/chat-types.ts'
import { withLiveMessage } from '#features/chat/model/patch-chat-list.ts'
import { useShowOnline } from '#features/chat/model/use-online.ts'
import { outboxOf } from '#features/chat/outbox/member-outbox.ts'
import { noteOwnReaction } from './own-reaction.ts'

/**
 * The server announces a message to each participant of a chat of up to 50, and of a larger one on the
 * chat's own topic only. Subscribing to both from well below that limit means a growing chat misses nothing.
 */
const WATCHED_FROM_MEMBERS = 25
/** Many may write at the same moment. */
const LIST = { queryKey: ['chats', 'list'], everyMs: 2_000 }

/** Keeps large chats, drafts and own reactions live, and the outbox running, while mounted. */
export function useLiveChats(memberId: string): void {
  const client = useQueryClient()
  const { data: chats } = useQuery(chatListQuery(memberId))
  const largeChats = largeOf(chats ?? [])

  useEffect(() => watchMember(client, memberId), [client, memberId])
  useEffect(() => watchLarge(client, memberId, largeChats), [client, memberId, largeChats])
  useEffect(() => wakeOnReturn(memberId), [memberId])
  useEffect(() => meetDrafts(memberId, chats ?? []), [memberId, chats])
  useShowOnline(memberId)
}

/** The ids of large chats as one string, so that an effect reruns only when they change. */
function largeOf(chats: readonly ChatSummary[]): string {
  return chats
    .filter((chat) => chat.member_count >= WATCHED_FROM_MEMBERS)
    .map((chat) => chat.chat_id)
    .sort()
    .join()
}

function watchMember(client: QueryClient, memberId: string): () => void {
  return watchTopic(`user:${memberId}`, {
    onJoined: () => saveDrafts(memberId),
    onEvent(event, payload) {
      if (event === 'draft_changed') void draftChanged(memberId, payload)
      if (event === 'reaction_changed') noteOwnReaction(client, payload)
      if (event === 'permissions_changed') saveDrafts(memberId)
    },
  })
}

function watchLarge(client: QueryClient, memberId: string, largeChats: string): () => void {
  const { queryKey } = chatListQuery(memberId)
  const outdate = outdater(client)
  function onEvent(event: string, payload: Record<string, unknown>) {
    const { mentions } = payload
    if (Array.isArray(mentions) && mentions.includes(memberId)) outdate(OUTDATED_BY_MENTION)
    if (event === 'message_updated') outdate([LIST])
    const message = event === 'message_inserted' ? parseBroadcastMessage(payload) : null
    if (!message) return
    const blocked = client.getQueryData(blockedPeopleQuery(memberId).queryKey)
    // What they write does not count; the server knows.
    if (blocked?.some(({ id }) => id === message.sender_id)) return outdate([LIST])
    client.setQueryData(queryKey, (chats) => chats && withLiveMessage(chats, message, memberId))
    // A response in flight may be older than this message.
    if (client.isFetching({ queryKey }) > 0) outdate([LIST])
  }
  const ids = largeChats.split(',').filter(Boolean)
  const stops = ids.map((chatId) => watchTopic(`chat:${chatId}`, { onEvent }))
  return () => stops.forEach((stop) => stop())
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
