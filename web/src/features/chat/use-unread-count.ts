import { useUserId } from '#lib/session.ts'
import { useLiveChats } from './live/use-live-chats.ts'
import { useNow } from '#lib/use-now.ts'
import { totalUnread } from './unread-count.ts'
import { useChats } from './use-chats.ts'

/**
 * Unread messages for the badge of the bottom navigation, kept live; undefined until known. A failure is silent on
 * purpose: the badge is not worth an alert, and the chat list reports the same failure.
 */
export function useUnreadCount(): number | undefined {
  const memberId = useUserId()
  useLiveChats(memberId)
  const { chats } = useChats(memberId)
  const now = useNow()
  return chats && totalUnread(chats, now)
}
