import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'

export type SetupChecklist = ResultRow<'setup_checklist'>

/** What an admin still has to set up, judged by the database. */
export const setupChecklistQuery = () =>
  queryOptions({
    queryKey: ['setup_checklist'],
    meta: {
      alsoReads: [
        'home_content',
        'newrepstart_content',
        'schedule_content',
        'team_settings',
        'users',
        'join_links',
        'invitations',
        'push_channels',
      ],
    },
    // Items are done on other screens, from which the admin comes back.
    staleTime: 0,
    // An admin without a second factor is refused, where the team asks for one.
    retry: false,
    queryFn: async ({ signal }) => (await callFunction('setup_checklist', {}, signal))[0] ?? null,
  })
