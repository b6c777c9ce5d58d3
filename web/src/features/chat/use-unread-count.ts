import { useQuery } from '@tanstack/react-query'
import { useUserId } from '#lib/session.ts'
import { chatListQuery } from './chat-queries.ts'
import { useLiveChats } from './live/use-live-chats.ts'
import { totalUnread } from './unread-count.ts'

/**
 * Unread messages for the badge of the bottom navigation, kept live. A failure is silent on
 * purpose: the badge is not worth an alert, and the chat list reports the same failure.
 */
export function useUnreadCount(): number {
  const memberId = useUserId()
  useLiveChats(memberId)
  const { data: chats = [] } = useQuery(chatListQuery(memberId))
  return totalUnread(chats, Date.now())
}
