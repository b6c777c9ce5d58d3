import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'

/** The vice presidents whom the admins chose, in their order. The key begins with the table that live changes name. */
export const vicePresidentsQuery = () =>
  queryOptions({
    ...keptOnDevice(),
    queryKey: ['team_settings', 'vice-presidents'],
    meta: { alsoReads: ['users'] },
    queryFn: ({ signal }) => callFunction('vice_presidents', {}, signal),
  })
