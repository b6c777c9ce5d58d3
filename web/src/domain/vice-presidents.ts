import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import { READS_OFFLINE, readCopyFirst } from '#data/kept/offline-copy.ts'

/** The vice presidents whom the admins chose, in their order. The key begins with the table that live changes name. */
export const vicePresidentsQuery = () =>
  queryOptions({
    ...READS_OFFLINE,
    queryKey: ['team_settings', 'vice-presidents'],
    meta: { alsoReads: ['users'] },
    queryFn: ({ signal }) =>
      readCopyFirst('vice-presidents', () => callFunction('vice_presidents', {}, signal)),
  })
