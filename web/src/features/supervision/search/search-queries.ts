import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'

export type FoundRecord = ResultRow<'search_archive'>

export type FoundMessage = { chatId: string; messageId: string; chatTitle: string | null }

/** What became of a message, as the database put it together. */
export type Version = {
  seq: number
  recorded_at: string
  kind: string
  actor_name?: string
  /** At most 1,000 characters, like those below. */
  text?: string
  before?: string
  reason?: string
}

/** As typed; days are those of this device. */
export type Search = {
  reason: string
  words: string
  person: string
  chat: string
  kind: string
  from: string
  to: string
}

const PAGE = 50

/** What the database takes, without what was left empty. */
export function criteriaOf({ reason, from, to, ...typed }: Search) {
  const given = Object.entries(typed).filter(([, value]) => value.trim() !== '')
  const end = to ? new Date(`${to}T00:00`) : null
  end?.setDate(end.getDate() + 1)
  return {
    reason,
    ...Object.fromEntries(given),
    ...(from && { from_time: new Date(`${from}T00:00`).toISOString() }),
    ...(end && { to_time: end.toISOString() }),
  }
}

/** Each page is recorded, so none is read again by itself. `number` tells one search from the same one made again. */
export const foundQuery = (search: Search, number: number) =>
  infiniteQueryOptions({
    queryKey: ['archive search', number],
    queryFn: ({ pageParam, signal }) =>
      callFunction(
        'search_archive',
        {
          ...criteriaOf(search),
          max_results: PAGE,
          ...(pageParam !== null && { before_seq: pageParam }),
        },
        signal,
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.seq),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  })

/** Begins the look around a found message, which is recorded. */
export const foundLookQuery = (
  { chatId, messageId }: FoundMessage,
  reason: string,
  lookId: string,
) =>
  queryOptions({
    queryKey: ['looks', 'found', lookId],
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    queryFn: () =>
      callFunction('look_at_chat', {
        chat_id: chatId,
        message_id: messageId,
        reason,
        look_id: lookId,
      }),
  })
