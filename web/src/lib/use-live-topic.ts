import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { watchTopic } from './watch-topic.ts'

/**
 * Listens to a topic on which the database names tables that changed, and reads them again wherever they are shown.
 * `tables` are all it may name, as a constant.
 */
export function useLiveTopic(topic: string, tables: readonly string[]) {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      watchTopic(topic, {
        // What changed before the join went unheard: while the connection was lost, or since the screen was read.
        onJoined: () => tables.forEach((table) => refreshTable(queryClient, table)),
        onEvent(event, { table }) {
          if (event === 'content_changed' && typeof table === 'string')
            refreshTable(queryClient, table)
        },
      }),
    [queryClient, topic, tables],
  )
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
