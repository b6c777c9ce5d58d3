import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readAgain } from '#data/live/read-again.ts'
import { watchTopic } from '#data/live/watch-topic.ts'
import { useLargeChats, watchLargeChats } from '#features/chat/live/large-chats.ts'
import { throttle } from '#features/chat/live/throttle.ts'
import {
  notificationsQuery,
  unreadNotificationsQuery,
} from '#features/notifications/notification-queries.ts'

const REFRESH_INTERVAL_MS = 2_000

/**
 * A mention, reading its chat, a decided report, or reading notifications on another device updates the notifications at
 * once. A large chat announces who is mentioned; any other only announces that something changed, so those refetches are
 * throttled.
 */
export function useLiveMentions(memberId: string) {
  const client = useQueryClient()
  const largeChats = useLargeChats(memberId)

  useEffect(() => {
    const refresh = throttle(() => {
      for (const { queryKey } of [unreadNotificationsQuery(), notificationsQuery(memberId)])
        readAgain(client, { queryKey })
    }, REFRESH_INTERVAL_MS)
    const refreshAll = throttle(
      () => readAgain(client, { queryKey: ['team_notices'] }),
      REFRESH_INTERVAL_MS,
    )
    const stopOwn = watchTopic(`user:${memberId}`, {
      onEvent(event) {
        if (event === 'chat_changed' || event === 'report_closed') refresh()
        if (event === 'notifications_read') refreshAll()
        if (event === 'report_closed') readAgain(client, { queryKey: ['reports'] })
      },
    })
    const stopLarge = watchLargeChats(largeChats, (chatId) =>
      watchTopic(`chat:${chatId}`, {
        onEvent: (_, { mentions }) =>
          Array.isArray(mentions) && mentions.includes(memberId) && refresh(),
      }),
    )
    return () => {
      stopOwn()
      stopLarge()
    }
  }, [client, memberId, largeChats])
}
