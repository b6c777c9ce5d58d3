import { useQuery } from '@tanstack/react-query'
import { chatListQuery } from '#features/chat/chat-queries.ts'

/**
 * The server announces a message to each participant of a chat of up to 50, and of a larger one on the
 * chat's own topic only. Subscribing to both from well below that limit means a growing chat misses nothing.
 */
const WATCHED_FROM_MEMBERS = 25

/** The ids of the member's large chats as one string, so that an effect reruns only when they change. */
export function useLargeChats(memberId: string): string {
  const { data: chats = [] } = useQuery(chatListQuery(memberId))
  return chats
    .filter((chat) => chat.member_count >= WATCHED_FROM_MEMBERS)
    .map((chat) => chat.chat_id)
    .sort()
    .join()
}

/** Subscribes to each of `largeChats`; returns a function that unsubscribes from all. */
export function watchLargeChats(
  largeChats: string,
  watch: (chatId: string) => () => void,
): () => void {
  const stops = largeChats.split(',').filter(Boolean).map(watch)
  return () => stops.forEach((stop) => stop())
}
