import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow, Row } from '#data/database.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { queryClient } from '#data/query-client.ts'
import { database } from '#data/supabase.ts'
import { keepAllRead, keepAnswer, withAnswers } from './notice-answers.ts'

/** A notice from the team's leaders, a message that mentions the member, or, for admins, somebody who waits to be let in. */
export type Notification = ResultRow<'my_notifications'>

export type NotificationSettings = Omit<Row<'notification_settings'>, 'user_id'>

/** Until the member chooses, and the table's defaults: everything, at any time. */
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

/**
 * The first page has a copy on the device. The key begins with the notices' table, so publishing a notice
 * invalidates it.
 */
export const notificationsQuery = (userId: string) =>
  infiniteQueryOptions({
    ...keptOnDevice<Inbox>({
      toKeep: ({ pages, pageParams }) => ({
        pages: pages.slice(0, 1),
        pageParams: pageParams.slice(0, 1),
      }),
      fromKept: (inbox) => inboxWithAnswers(userId, inbox),
    }),
    queryKey: ['team_notices', 'mine', userId],
    meta: { alsoReads: ['newcomers'] },
    queryFn: async ({ pageParam }) => withAnswers(userId, await loadPage(pageParam)),
    initialPageParam: undefined as Notification | undefined,
    getNextPageParam: (last: Notification[]) => (last.length < PAGE ? undefined : last.at(-1)),
    refetchOnReconnect: 'always',
  })

type Inbox = InfiniteData<Notification[]>

function inboxWithAnswers(userId: string, inbox: Inbox): Inbox {
  return { ...inbox, pages: inbox.pages.map((page) => withAnswers(userId, page)) }
}

/** Acknowledges a notice that asks for it, else marks it as read: shows at once, and waits on this device while offline. */
export function answerNotice(userId: string, { id, must_acknowledge, is_unread }: Notification) {
  keepAnswer(userId, id, must_acknowledge)
  showAnswers(userId, (unread) => Math.max(0, unread - Number(is_unread)))
}

/** Marks all that the member sees, and what is older, as read: shows at once, and waits on this device while offline. */
export function markAllRead(userId: string, notifications: Notification[]) {
  const [newest] = notifications
  if (!newest) return
  const unread = notifications.filter(({ kind, is_unread }) => kind === 'notice' && is_unread)
  keepAllRead(userId, { until: newest.at, noticeIds: unread.map(({ id }) => id) })
  showAnswers(userId, () => 0)
}

function showAnswers(userId: string, nowUnread: (unread: number) => number) {
  queryClient.setQueryData(
    unreadNotificationsQuery().queryKey,
    (count) => count && nowUnread(count),
  )
  queryClient.setQueryData(
    notificationsQuery(userId).queryKey,
    (inbox) => inbox && inboxWithAnswers(userId, inbox),
  )
  queryClient.setQueryData(
    unacknowledgedQuery(userId).queryKey,
    (notices) => notices && withAnswers(userId, notices),
  )
}

function loadPage(after?: Notification): Promise<Notification[]> {
  return callFunction('my_notifications', {
    max_results: PAGE,
    ...(after && { before: after.at, before_id: after.id }),
  })
}

/** Notices the member has not acknowledged yet, newest first. */
export const unacknowledgedQuery = (userId: string) =>
  queryOptions({
    ...keptOnDevice<Notification[]>({ fromKept: (notices) => withAnswers(userId, notices) }),
    queryKey: ['team_notices', 'unacknowledged', userId],
    queryFn: async () => withAnswers(userId, await callFunction('my_unacknowledged_notices')),
  })

export const unreadNotificationsQuery = () =>
  queryOptions({
    queryKey: ['team_notices', 'unread'],
    meta: { alsoReads: ['newcomers'] },
    queryFn: () => callFunction('unread_notification_count'),
  })

export const notificationSettingsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['notification_settings', userId],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('notification_settings')
        .select('messages, mentions, notices, quiet_from, quiet_to, time_zone, mentions_pass_quiet')
        .eq('user_id', userId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data ?? NOTHING_CHOSEN
    },
  })

export type ChatSetting = ResultRow<'chat_list'>

/** The member's chats in list order. The key begins with the chats' table, so muting one anywhere invalidates it. */
export const chatSettingsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['chats', 'muting', userId],
    queryFn: () => callFunction('chat_list'),
  })

/** Writes only what was changed: another device may have changed the rest. */
export async function saveNotificationSettings(
  userId: string,
  change: Partial<NotificationSettings>,
) {
  const rows = database.from('notification_settings')
  // An upsert alone would not do: the row it proposes must meet the table's checks, which half of the quiet hours does not.
  const { data } = await rows.update(change).eq('user_id', userId).select('user_id').throwOnError()
  if (data.length === 0) await rows.upsert({ user_id: userId, ...change }).throwOnError()
}

export async function markShown(notifications: Notification[]) {
  const ids = notifications.filter(({ kind }) => kind === 'notice').map(({ id }) => id)
  if (ids.length) await callFunction('mark_notices_shown', { notice_ids: ids })
}

export async function markOpened(id: string) {
  await callFunction('mark_notice_opened', { notice_id: id })
}

/** Whoever waits to be let in now is no longer new to this admin. */
export async function markNewcomersSeen() {
  await callFunction('mark_newcomers_seen')
}
