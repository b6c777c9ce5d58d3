import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { database } from '#data/supabase.ts'
import { memberName } from '#domain/member-name.ts'
import { SERVER, timesOf, type AuditFilters } from './audit-filters.ts'

/** What is looked for: the filters, and words. */
export type AuditSearch = AuditFilters & { words: string }

export type AuditEntry = ResultRow<'audit_entries'>

/** The entry after which the next page begins. */
export type AuditCursor = Pick<AuditEntry, 'recorded_at' | 'id'> | null

const PAGE = 50

/** A page of entries, newest first. */
export function readEntries(
  search: AuditSearch,
  after: AuditCursor,
  count: number,
  signal: AbortSignal,
): Promise<AuditEntry[]> {
  const { by, about, kind, words } = search
  return callFunction(
    'audit_entries',
    {
      ...timesOf(search, Date.now()),
      of_kind: kind || null,
      actor: by && by !== SERVER ? by : null,
      by_server: by === SERVER,
      member: about || null,
      query: words,
      before_time: after?.recorded_at ?? null,
      before_id: after?.id ?? null,
      max_results: count,
    },
    signal,
  )
}

export const auditEntriesQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit_log', search],
    // Changes elsewhere are not published, and an old list would hide them.
    staleTime: 0,
    // Whoever opens an entry while still typing keeps it open.
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) => readEntries(search, pageParam, PAGE, signal),
    initialPageParam: null as AuditCursor,
    getNextPageParam: (last) => (last.length < PAGE ? undefined : (last.at(-1) ?? undefined)),
  })

/** The name of a member who is filtered by, former ones too; null if there is no such member. */
export const filteredNameQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', 'name', id],
    enabled: id !== '' && id !== SERVER,
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('users')
        .select('first_name, last_name, email')
        .eq('id', id)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data && memberName(data)
    },
  })
