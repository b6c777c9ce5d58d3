import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { realtime } from './supabase.ts'

/**
 * Listens to a topic on which the database names tables that changed, and reads them again wherever they are shown.
 * `tables` are all it may name, as a constant.
 */
export function useLiveTopic(topic: string, tables: readonly string[]) {
  const queryClient = useQueryClient()
  useEffect(() => {
    const leaving = new AbortController()
    const refresh = (table: string) => refreshTable(queryClient, table)
    watch(topic, tables, refresh, leaving.signal).catch((error: unknown) => {
      // Silent on purpose: without it content is as fresh as the last visit of a screen.
      console.warn('Live content is not available', error)
    })
    return () => leaving.abort()
  }, [queryClient, topic, tables])
}

async function watch(
  topic: string,
  tables: readonly string[],
  refresh: (table: string) => void,
  left: AbortSignal,
) {
  const client = await realtime()
  if (left.aborted) return
  const channel = client.channel(topic, { config: { private: true } })
  channel
    .on('broadcast', { event: 'content_changed' }, ({ payload }) => {
      const { table } = payload as { table?: unknown }
      if (typeof table === 'string') refresh(table)
    })
    .subscribe((status) => {
      // What changed before the join went unheard: while the connection was lost, or since the screen was read.
      if (`${status}` === 'SUBSCRIBED') tables.forEach(refresh)
    })
  left.addEventListener('abort', () => void channel.unsubscribe())
}

function refreshTable(queryClient: QueryClient, table: string) {
  // Who is changing the table reads it again when done; before that, own changes would seem undone.
  if (queryClient.isMutating({ mutationKey: [table] }) > 0) return
  void queryClient.invalidateQueries({ predicate: (query) => readsFrom(query, table) })
}

/** The first part of a key is the table; a query over several names the others in its meta. */
function readsFrom({ queryKey, meta }: Query, table: string): boolean {
  const others = meta?.alsoReads as string[] | undefined
  return queryKey[0] === table || (others?.includes(table) ?? false)
}
