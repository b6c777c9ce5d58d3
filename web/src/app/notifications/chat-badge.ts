import { useUnreadCount } from '#features/chat/use-unread-count.ts'

/**
 * Unread messages for the navigation badge and the app icon; undefined until known. Joins in the chat
 * feature's count.
 */
export function useChatBadge(): number | undefined {
  return useUnreadCount()
}
