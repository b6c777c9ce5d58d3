import { queryOptions } from '@tanstack/react-query'
import { READS_OFFLINE, readCopyFirst } from '#lib/offline/offline-copy.ts'
import { callFunction } from '#lib/supabase/call-function.ts'

/** The vice presidents whom the admins chose, in their order. The key begins with the table that live changes name. */
export const vicePresidentsQuery = () =>
  queryOptions({
    ...READS_OFFLINE,
    queryKey: ['team_settings', 'vice-presidents'],
    meta: { alsoReads: ['users'] },
    queryFn: ({ signal }) =>
      readCopyFirst('vice-presidents', () => callFunction('vice_presidents', {}, signal)),
  })
