import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callFunction } from '#lib/call-function.ts'
import { database } from '#lib/supabase.ts'

export type Audience = 'all' | 'role' | 'chat' | 'members'

export type Notice = {
  id: string
  title: string
  body: string
  link: string | null
  audience: Audience
  is_urgent: boolean
  must_acknowledge: boolean
  scheduled_for: string | null
  published_at: string | null
  cancelled_at: string | null
  created_at: string
}

export type NewNotice = Pick<
  Notice,
  'id' | 'title' | 'body' | 'link' | 'audience' | 'is_urgent' | 'must_acknowledge' | 'scheduled_for'
> & {
  audience_role: string | null
  audience_chat_id: string | null
  audience_members: string[]
}

export type NoticeResults = Record<
  'recipients' | 'sent' | 'shown' | 'opened' | 'acknowledged' | 'failed' | 'uncertain' | 'waiting',
  number
>

export type ChannelHealth = {
  channel: 'apns' | 'fcm' | 'web'
  is_on: boolean
  detail: string
  devices: number
  sent: number
  failed: number
  waiting: number
  passed_quiet_hours: number
  last_error: string | null
}

export type Person = {
  id: string
  first_name: string | null
  last_name: string | null
  email: string
}

const NOTICE =
  'id, title, body, link, audience, is_urgent, must_acknowledge, scheduled_for, published_at, cancelled_at, created_at'
const LATEST = 50

export const noticesQuery = () =>
  queryOptions({
    queryKey: ['team_notices', 'managed'],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('team_notices')
        .select(NOTICE)
        .order('created_at', { ascending: false })
        .limit(LATEST)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Notice[], { merge: false }>()
      return data
    },
  })

/** While a notice is fresh its figures move all the time, and nothing announces them. */
const RESULTS_EVERY_MS = 15_000
const FRESH_FOR_MS = 24 * 60 * 60_000

export const noticeResultsQuery = ({ id: noticeId, published_at }: Notice) =>
  queryOptions({
    queryKey: ['team_notices', 'results', noticeId],
    refetchInterval: () =>
      Date.now() - Date.parse(published_at ?? '') < FRESH_FOR_MS && RESULTS_EVERY_MS,
    queryFn: async ({ signal }) => {
      const { data } = await database
        .rpc('notice_results', { notice_id: noticeId })
        .abortSignal(signal)
        .single<NoticeResults>()
        .throwOnError()
      return data
    },
  })

const PAGE_SIZE = 100

/** Those who have not acknowledged it, with their names, page by page. */
export const notAcknowledgedQuery = (noticeId: string) =>
  infiniteQueryOptions({
    queryKey: ['team_notices', 'not acknowledged', noticeId],
    queryFn: async ({ pageParam, signal }) => {
      const receipts = await database
        .from('notice_receipts')
        .select('user_id')
        .eq('notice_id', noticeId)
        .is('acknowledged_at', null)
        .order('user_id')
        .range(pageParam, pageParam + PAGE_SIZE - 1)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<{ user_id: string }[], { merge: false }>()
      const { data } = await database
        .from('users')
        .select('id, first_name, last_name, email')
        .in(
          'id',
          receipts.data.map(({ user_id }) => user_id),
        )
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Person[], { merge: false }>()
      return { people: data, isLast: receipts.data.length < PAGE_SIZE }
    },
    initialPageParam: 0,
    getNextPageParam: ({ isLast }, pages) => (isLast ? undefined : pages.length * PAGE_SIZE),
    refetchInterval: RESULTS_EVERY_MS,
  })

export const channelHealthQuery = () =>
  queryOptions({
    queryKey: ['push_channels', 'health'],
    queryFn: () => callFunction<ChannelHealth[]>('push_health'),
  })

/** Group chats an admin can address. */
export const addressableChatsQuery = () =>
  queryOptions({
    queryKey: ['chats', 'addressable'],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('chats')
        .select('id, name')
        .neq('type', 'individual')
        .eq('is_active', true)
        .order('name')
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<{ id: string; name: string }[], { merge: false }>()
      return data
    },
  })

export async function publishNotice(notice: NewNotice) {
  await database.from('team_notices').insert(notice).throwOnError()
}

export async function withdrawNotice(noticeId: string) {
  await database
    .from('team_notices')
    .update({ cancelled_at: new Date().toISOString() })
    .eq('id', noticeId)
    .throwOnError()
}

/** Returns how many were reminded. */
export function remind(noticeId: string): Promise<number> {
  return callFunction('remind_notice', { notice_id: noticeId })
}
