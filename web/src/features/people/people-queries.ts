import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'

export type Person = ResultRow<'list_people'>
export const PEOPLE_ROLES = ['vice_president', 'admin', 'supervisor', 'sponsor'] as const
export type PeopleRole = (typeof PEOPLE_ROLES)[number]
export type PeopleFilter = {
  role: PeopleRole | null
  state: string | null
  leaderId: string | null
}

type After = { after_first_name: string; after_last_name: string; after_id: string }

const PAGE = 50

/** The team by name, page by page; the next page begins after the last person of this one. */
export const peopleQuery = (search: string, { role, state, leaderId }: PeopleFilter) =>
  infiniteQueryOptions({
    queryKey: ['users', 'people', search, role, state, leaderId],
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam }: { pageParam: After | null }) =>
      callFunction('list_people', {
        query: search,
        ...(role && { with_role: role }),
        ...(state && { in_state: state }),
        ...(leaderId && { leader_id: leaderId }),
        ...pageParam,
        max_results: PAGE,
      }),
    // Offline it says so, instead of waiting unseen, and reads again once connected.
    networkMode: 'always',
    refetchOnReconnect: true,
    initialPageParam: null,
    getNextPageParam: (page: Person[]): After | undefined => {
      const last = page.at(-1)
      if (!last || page.length < PAGE) return undefined
      return {
        after_first_name: last.first_name,
        after_last_name: last.last_name,
        after_id: last.id,
      }
    },
  })

/** The states that members work in. */
export const statesQuery = () =>
  queryOptions({
    queryKey: ['users', 'states'],
    queryFn: ({ signal }) => callFunction('people_states', {}, signal),
  })
