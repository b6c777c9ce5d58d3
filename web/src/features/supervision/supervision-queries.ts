import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow, Row } from '#data/database.ts'

export const QUEUE_STATES = ['open', 'mine', 'closed'] as const
export type QueueState = (typeof QUEUE_STATES)[number]
export const SOURCES = ['lexicon', 'sample', 'report'] as const
export const OUTCOMES = ['fine', 'follow_up', 'violation'] as const
export type Outcome = (typeof OUTCOMES)[number]

export type QueuedItem = ResultRow<'review_queue'>
export type ReviewItem = ResultRow<'review_item'>
export type ShownMessage = ResultRow<'look_messages'>
export type ShownImage = NonNullable<Row<'chat_messages'>['attachment']>
export type LexiconEntry = ResultRow<'lexicon'>
export type WeekFigures = ResultRow<'review_figures'>

/** What put a message into the queue, as the database noted it. */
export type Caught = { id: string; category: string; phrase: string; near?: string }
export type ReviewEvent = {
  id: string
  at: string
  action: 'noted' | 'assigned' | 'decided' | 'reopened'
  note: string
  outcome: Outcome | null
  actor: string
  assignee: string | null
  /** Whether they took it themselves. */
  is_own: boolean | null
}
export type MessageChange = {
  kind: string
  at: string
  by?: string
  text?: string
  reason?: string
}

const PAGE = 30

export const actsAsSupervisorQuery = (userId: string) =>
  queryOptions({
    queryKey: ['users', 'acts as supervisor', userId],
    queryFn: ({ signal }) => callFunction('acts_as_supervisor', {}, signal),
  })

/** How many items wait. Changes that are published invalidate it (data/live). */
export const reviewCountsQuery = () =>
  queryOptions({
    queryKey: ['review_items', 'counts'],
    queryFn: async ({ signal }) => (await callFunction('review_counts', {}, signal))[0] ?? null,
    staleTime: 0,
  })

/** How many items are given to the caller or to nobody, at most 100; the navigation's badge, so it fails silently. */
export const reviewsWaitingQuery = () =>
  queryOptions({
    queryKey: ['review_items', 'waiting'],
    queryFn: ({ signal }) => callFunction('reviews_waiting', {}, signal),
    retry: false,
  })

type Place = { time: string; id: string } | null

export const queueQuery = (state: QueueState, source: string) =>
  infiniteQueryOptions({
    queryKey: ['review_items', 'queue', state, source],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      callFunction(
        'review_queue',
        {
          state,
          max_results: PAGE,
          ...(source && { of_source: source }),
          ...(pageParam && { after_time: pageParam.time, after_id: pageParam.id }),
        },
        signal,
      ),
    initialPageParam: null as Place,
    getNextPageParam: (last): Place | undefined => {
      const end = last.at(-1)
      if (!end || last.length < PAGE) return undefined
      return { time: (state === 'closed' && end.closed_at) || end.created_at, id: end.id }
    },
  })

/** Null if somebody else has to review it. */
export const reviewItemQuery = (id: string) =>
  queryOptions({
    queryKey: ['review_items', 'item', id],
    staleTime: 0,
    // Opened again, it begins as it is now: it may have been decided since.
    gcTime: 0,
    queryFn: async ({ signal }) =>
      (await callFunction('review_item', { item_id: id }, signal))[0] ?? null,
  })

/** Begins the look at an item's conversation, which is recorded; null for a report about a person. */
export const itemLookQuery = (id: string) =>
  queryOptions({
    queryKey: ['looks', 'item', id],
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    queryFn: () => callFunction('open_review_item', { item_id: id }),
  })

/** What a look shows, the latest first. */
export const lookQuery = (lookId: string) =>
  infiniteQueryOptions({
    queryKey: ['looks', 'messages', lookId],
    gcTime: 0,
    retry: false,
    queryFn: ({ pageParam, signal }) =>
      callFunction(
        'look_messages',
        { look_id: lookId, max_results: 50, ...(pageParam && { before_seq: pageParam }) },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.length < 50 ? undefined : last.at(-1)?.seq),
  })

export const supervisorsQuery = () =>
  queryOptions({
    queryKey: ['users', 'supervisors'],
    queryFn: ({ signal }) => callFunction('supervisors', {}, signal),
  })

export const lexiconQuery = () =>
  queryOptions({
    queryKey: ['review_items', 'lexicon'],
    queryFn: ({ signal }) => callFunction('lexicon', {}, signal),
  })

export const samplingQuery = () =>
  queryOptions({
    queryKey: ['review_items', 'sampling'],
    queryFn: ({ signal }) => callFunction('review_sampling', {}, signal),
  })

/** `leaderId`: of what the people in this leader's line wrote. */
export const figuresQuery = (weeks: number, leaderId: string | null) =>
  queryOptions({
    queryKey: ['review_items', 'figures', weeks, leaderId],
    staleTime: 0,
    queryFn: ({ signal }) =>
      callFunction('review_figures', { weeks, ...(leaderId && { leader_id: leaderId }) }, signal),
  })
