import { useUnreadCount } from '#features/chat/use-unread-count.ts'

/** Unread messages for the navigation's badge and the app's icon, undefined until known. The chat area's count is joined in here. */
export function useChatBadge(): number | undefined {
  return useUnreadCount()
}
