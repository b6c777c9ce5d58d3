import { useQuery } from '@tanstack/react-query'
import { chatListQuery } from '#features/chat/chat-queries.ts'

/**
 * The server announces a message to each participant of a chat of up to 50, and of a larger one on
 * the chat's own topic only. Listening to both well below that keeps a growing chat heard.
 */
const WATCHED_FROM_MEMBERS = 25

/** The ids of the member's large chats, as one text: an effect runs again only when they are others. */
export function useLargeChats(memberId: string): string {
  const { data: chats = [] } = useQuery(chatListQuery(memberId))
  return chats
    .filter((chat) => chat.member_count >= WATCHED_FROM_MEMBERS)
    .map((chat) => chat.chat_id)
    .sort()
    .join()
}

/** Watches each of `largeChats`; the answer stops all of them. */
export function watchLargeChats(
  largeChats: string,
  watch: (chatId: string) => () => void,
): () => void {
  const stops = largeChats.split(',').filter(Boolean).map(watch)
  return () => stops.forEach((stop) => stop())
}
