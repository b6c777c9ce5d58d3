import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'

export type DashboardFigures = ResultRow<'admin_dashboard'>
export type BrokenLink = ResultRow<'broken_links'>

/** What is not published live: who acknowledged a notice, what was pushed and mailed. */
const REFRESH_MS = 60_000

/** The figures of the dashboard, in one request. */
export const dashboardQuery = () =>
  queryOptions({
    queryKey: ['admin_dashboard'],
    meta: {
      alsoReads: [
        'users',
        'newcomers',
        'newrepstart_content',
        'onboarding_progress',
        'team_notices',
        'schedule_content',
        'team_settings',
        'link_checks',
        'invitations',
      ],
    },
    // Everything it counts changes on other screens; parts of one screen share a response.
    staleTime: 1_000,
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => (await callFunction('admin_dashboard', {}, signal))[0]!,
  })

/** How many people are on the team. */
export const userCountQuery = () =>
  queryOptions({
    queryKey: ['users', 'count'],
    queryFn: ({ signal }) => callFunction('get_user_count', {}, signal),
  })

/** Content whose link leads nowhere, the oldest problem first. */
export const brokenLinksQuery = () =>
  queryOptions({
    queryKey: ['link_checks', 'broken'],
    meta: {
      alsoReads: [
        'home_content',
        'training_content',
        'newrepstart_content',
        'licensing_content',
        'schedule_content',
      ],
    },
    staleTime: 0,
    queryFn: ({ signal }) => callFunction('broken_links', {}, signal),
  })

/** Has the server fetch the broken links now. */
export async function checkLinksAgain(): Promise<void> {
  await callFunction('check_links_again')
}
