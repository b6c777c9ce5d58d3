import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'

export type Finding = ResultRow<'system_status'>

/** Distinguishes findings of one reading. */
export const keyOf = ({ part, scope, detail }: Finding): string =>
  [part, scope, (detail as { number?: number } | null)?.number].join(' ')

/** Processes report once a minute; that the server itself is gone shows sooner. */
const REFRESH_MS = 15_000

/** For admins: what is wrong with the system, what needs attention, what is fine and what is not watched here. */
export const systemQuery = (userId: string) =>
  queryOptions({
    ...keptOnDevice(),
    queryKey: ['system_status', userId],
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    queryFn: () => callFunction('system_status'),
  })
