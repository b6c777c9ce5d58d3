import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#lib/call-function.ts'
import { database } from '#lib/supabase.ts'

/** A notice from the team's leaders, or a message that mentions the member. */
export type Notification = {
  kind: 'notice' | 'mention'
  id: string
  chat_id: string | null
  title: string
  body: string
  link: string | null
  at: string
  is_unread: boolean
  is_urgent: boolean
  must_acknowledge: boolean
  acknowledged_at: string | null
}

export type NotificationSettings = {
  messages: boolean
  mentions: boolean
  notices: boolean
  quiet_from: string | null
  quiet_to: string | null
  time_zone: string | null
  mentions_pass_quiet: boolean
}

/** What counts while the member has chosen nothing: everything, at any time. */
const NOTHING_CHOSEN: NotificationSettings = {
  messages: true,
  mentions: true,
  notices: true,
  quiet_from: null,
  quiet_to: null,
  time_zone: null,
  mentions_pass_quiet: true,
}

const PAGE = 50

/** The key begins with the table of the notices, so that a published one refreshes it. */
export const notificationsQuery = () =>
  queryOptions({
    queryKey: ['team_notices', 'mine'],
    queryFn: () => callFunction<Notification[]>('my_notifications', { max_results: PAGE }),
  })

export const unreadNotificationsQuery = () =>
  queryOptions({
    queryKey: ['team_notices', 'unread'],
    queryFn: () => callFunction<number>('unread_notification_count'),
  })

export const notificationSettingsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['notification_settings', userId],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('notification_settings')
        .select(Object.keys(NOTHING_CHOSEN).join(', '))
        .eq('user_id', userId)
        .abortSignal(signal)
        .maybeSingle<NotificationSettings>()
        .throwOnError()
      return data ?? NOTHING_CHOSEN
    },
  })

export type ChatSetting = { chat_id: string; title: string; muted_until: string | null }

/** The member's chats, in the list's order. The key begins with the chats' table: muting one anywhere refreshes it. */
export const chatSettingsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['chats', 'muting', userId],
    queryFn: () => callFunction<ChatSetting[]>('chat_list'),
  })

export async function saveNotificationSettings(userId: string, settings: NotificationSettings) {
  await database
    .from('notification_settings')
    .upsert({ user_id: userId, ...settings })
    .throwOnError()
}

export async function markShown(notifications: Notification[]) {
  const ids = notifications.filter(({ kind }) => kind === 'notice').map(({ id }) => id)
  if (ids.length) await callFunction('mark_notices_shown', { notice_ids: ids })
}

export async function markOpened(id: string) {
  await callFunction('mark_notice_opened', { notice_id: id })
}

export async function acknowledge(id: string) {
  await callFunction('acknowledge_notice', { notice_id: id })
}
