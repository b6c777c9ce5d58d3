import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { nextReadMs, READS_OFFLINE, readCopyFirst, type Reading } from '#data/kept/offline-copy.ts'

export type Finding = ResultRow<'system_status'>

/** Distinguishes findings of one reading. */
export const keyOf = ({ part, scope, detail }: Finding): string =>
  [part, scope, (detail as { number?: number } | null)?.number].join(' ')

/** Processes report once a minute; that the server itself is gone shows sooner. */
const REFRESH_MS = 15_000

/** For admins: what is wrong with the system, what needs attention, what is fine and what is not watched here. */
export const systemQuery = (userId: string) =>
  queryOptions({
    ...READS_OFFLINE,
    queryKey: ['system_status', userId],
    staleTime: 0,
    refetchInterval: ({ state }: { state: { data?: Reading<Finding[]> | undefined } }) =>
      nextReadMs(state.data) || REFRESH_MS,
    queryFn: ({ client, queryKey }) =>
      readCopyFirst(
        `system ${userId}`,
        () => callFunction('system_status'),
        client.getQueryState(queryKey)?.isInvalidated,
      ),
  })
