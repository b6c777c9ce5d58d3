import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'

export type MemberProgress = ResultRow<'onboarding_overview'>

const PAGE = 50

/** `new`: joined in the last 90 days, and neither admin nor vice president. `stuck`: see the database's `stuck_members`. */
export const PROGRESS_FILTERS = ['all', 'new', 'stuck'] as const
export type ProgressFilter = (typeof PROGRESS_FILTERS)[number]

/** The members' progress page by page, who is stuck first; only whom the search finds. */
export const onboardingOverviewQuery = (filter: ProgressFilter, search: string) =>
  infiniteQueryOptions({
    queryKey: ['onboarding_progress', 'overview', filter, search],
    meta: { alsoReads: ['newrepstart_content', 'users'] },
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      callFunction(
        'onboarding_overview',
        { filter, query: search, max_results: PAGE, skip: pageParam },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
  })
