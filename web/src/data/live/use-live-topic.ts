import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isAwaited } from '#data/kept/kept-queries.ts'
import { database } from '#data/supabase.ts'
import { readAgainUnlessChanging } from './read-again.ts'
import { createSpread } from './spread.ts'
import { watchTopic } from './watch-topic.ts'

/** How long a transaction may take from its time stamp to its commit. */
const OVERLAP_S = 60
/** How far back the database looks. */
const MOST_S = 3600

/**
 * Subscribes to a topic on which the database publishes the names of changed tables, and invalidates their queries.
 * `tables` lists every table it may publish; pass a constant. Without a topic it does nothing.
 */
export function useLiveTopic(topic: string | null, tables: readonly string[]) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (topic === null) return
    const spread = createSpread((table) => refreshTable(queryClient, table))
    const leave = watchTopic(topic, {
      // Changes before the join were missed: while disconnected, or since the screen read its data.
      onJoined: () => void refreshMissed(queryClient, tables),
      onEvent(event, { table, spread_ms }) {
        if (event !== 'content_changed' || typeof table !== 'string') return
        markOutdated(queryClient, table)
        spread.later(table, spread_ms)
      },
    })
    return () => {
      leave()
      spread.end()
    }
  }, [queryClient, topic, tables])
}

/** Reads again what changed since it was read. */
async function refreshMissed(queryClient: QueryClient, tables: readonly string[]) {
  const seconds = ageOf(queryClient, tables)
  if (seconds === null) return
  const changed = seconds <= MOST_S ? await changedTables(seconds + OVERLAP_S) : tables
  for (const table of tables) if (changed.includes(table)) refreshTable(queryClient, table)

  async function changedTables(seconds: number): Promise<readonly string[]> {
    const { data } = await database.rpc('changed_tables', { seconds })
    return data ?? tables
  }
}

/** Seconds since the oldest data of these tables was read; null if none was. */
function ageOf(queryClient: QueryClient, tables: readonly string[]): number | null {
  const now = Date.now()
  const ages = queryClient
    .getQueryCache()
    .findAll({ predicate: (query) => tables.some((table) => readsFrom(query, table)) })
    .map((query) => {
      const { dataUpdatedAt, fetchStatus } = query.state
      // Its response is about to come.
      if (isAwaited(query)) return 0
      if (dataUpdatedAt === 0) return fetchStatus === 'idle' ? -Infinity : 0
      // The clock was set back.
      return dataUpdatedAt > now ? Infinity : (now - dataUpdatedAt) / 1000
    })
  const oldest = Math.max(-Infinity, ...ages)
  return oldest < 0 ? null : Math.ceil(oldest)
}

/** What is opened before its turn to be read again has come is read then. */
function markOutdated(queryClient: QueryClient, table: string) {
  if (queryClient.isMutating({ mutationKey: [table] }) > 0) return
  void queryClient.invalidateQueries({
    predicate: (query) => readsFrom(query, table),
    refetchType: 'none',
  })
}

function refreshTable(queryClient: QueryClient, table: string) {
  readAgainUnlessChanging(queryClient, table, { predicate: (query) => readsFrom(query, table) })
}

/** The first part of a key is the table; queries that join others list them in `meta.alsoReads`. */
function readsFrom({ queryKey, meta }: Query, table: string): boolean {
  const others = meta?.alsoReads as string[] | undefined
  return queryKey[0] === table || (others?.includes(table) ?? false)
}
