import { useUnreadCount } from '#features/chat/use-unread-count.ts'

/** Unread messages for the navigation's badge. The chat area's count is joined in here. */
export function useChatBadge(): number {
  return useUnreadCount()
}
