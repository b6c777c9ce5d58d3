import { useQuery } from '@tanstack/react-query'
import { unreadNotificationsQuery } from '#features/notifications/notification-queries.ts'

/** Unread notices and mentions, for the tab. Fails silently on purpose, like the chat badge. */
export function useNotificationBadge(): number {
  return useQuery(unreadNotificationsQuery()).data ?? 0
}
