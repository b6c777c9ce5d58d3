import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { assertChanged } from '#data/assert-changed.ts'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow, Row } from '#data/database.ts'
import { readAllPages } from '#data/read-all-pages.ts'
import { database } from '#data/supabase.ts'
import { sortedBy } from '#lib/i18n/sorted-by.ts'

export type Notice = Pick<
  Row<'team_notices'>,
  | 'id'
  | 'title'
  | 'body'
  | 'link'
  | 'audience'
  | 'is_urgent'
  | 'must_acknowledge'
  | 'scheduled_for'
  | 'published_at'
  | 'cancelled_at'
  | 'created_at'
  | 'created_by'
  | 'updated_at'
  | 'updated_by'
>

export type NewNotice = Omit<
  Notice,
  'published_at' | 'cancelled_at' | 'created_at' | 'created_by' | 'updated_at' | 'updated_by'
> &
  Pick<Row<'team_notices'>, 'audience_role' | 'audience_chat_id' | 'audience_members'>

export type ChannelHealth = ResultRow<'push_health'>

const NOTICE =
  'id, title, body, link, audience, is_urgent, must_acknowledge, scheduled_for, published_at, cancelled_at, created_at, created_by, updated_at, updated_by'
const PAGE_SIZE = 50

const nextPage = (last: unknown[], pages: unknown[][]) =>
  last.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE

export type ShownNotices = 'all' | 'unacknowledged'

/** All notices, or those that somebody has yet to acknowledge; newest first, page by page. */
export const noticesQuery = (show: ShownNotices) =>
  infiniteQueryOptions({
    queryKey: ['team_notices', 'managed', show],
    queryFn: async ({ pageParam, signal }): Promise<Notice[]> => {
      const notices =
        show === 'all'
          ? database.from('team_notices').select(NOTICE)
          : database.rpc('unacknowledged_notices').select(NOTICE)
      const { data } = await notices
        .order('created_at', { ascending: false })
        .order('id')
        .range(pageParam, pageParam + PAGE_SIZE - 1)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
    initialPageParam: 0,
    getNextPageParam: nextPage,
  })

/** A new notice's figures change constantly and are not published live, so they are polled. */
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
        .single()
        .throwOnError()
      return data
    },
  })

/** Recipients who have not acknowledged it, by first name, page by page. */
export const notAcknowledgedQuery = (noticeId: string) =>
  infiniteQueryOptions({
    queryKey: ['team_notices', 'not acknowledged', noticeId],
    queryFn: ({ pageParam, signal }) =>
      callFunction(
        'notice_unacknowledged',
        { notice_id: noticeId, max_results: PAGE_SIZE, skip: pageParam },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: nextPage,
    refetchInterval: RESULTS_EVERY_MS,
  })

export const channelHealthQuery = () =>
  queryOptions({
    queryKey: ['push_channels', 'health'],
    queryFn: () => callFunction('push_health'),
  })

/** Group chats an admin can choose as recipients. */
export const addressableChatsQuery = () =>
  queryOptions({
    queryKey: ['chats', 'addressable'],
    queryFn: async ({ signal }) => {
      const chats = await readAllPages<{ id: string; name: string }>((first, last) =>
        database
          .from('chats')
          .select('id, name')
          .neq('type', 'individual')
          .eq('is_active', true)
          .order('id')
          .range(first, last)
          .abortSignal(signal)
          .throwOnError(),
      )
      return sortedBy(chats, ({ name }) => name)
    },
  })

/** To how many others it would go if it were published now. */
export function countRecipients(notice: NewNotice): Promise<number> {
  const { audience, audience_role, audience_chat_id, audience_members } = notice
  return callFunction('count_notice_recipients', {
    audience,
    audience_members,
    ...(audience_role && { audience_role }),
    ...(audience_chat_id && { audience_chat_id }),
  })
}

/**
 * Safe to repeat: the response to an earlier attempt may have been lost.
 * @returns false if an earlier attempt had arrived, with the words it had then
 */
export async function publishNotice(notice: NewNotice): Promise<boolean> {
  const { data } = await database
    .from('team_notices')
    .upsert(notice, { ignoreDuplicates: true })
    .select('id')
    .throwOnError()
  return data.length > 0
}

export async function withdrawNotice(noticeId: string) {
  const { data } = await database
    .from('team_notices')
    .update({ cancelled_at: new Date().toISOString() })
    .eq('id', noticeId)
    .select('id')
    .throwOnError()
  assertChanged(data)
}

export type Reminded = ResultRow<'remind_notice'>

export async function remind(noticeId: string): Promise<Reminded> {
  const [reminded] = await callFunction('remind_notice', { notice_id: noticeId })
  return reminded!
}
