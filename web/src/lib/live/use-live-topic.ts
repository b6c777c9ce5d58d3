import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { watchTopic } from './watch-topic.ts'

/**
 * Subscribes to a topic on which the database publishes the names of changed tables, and invalidates their queries.
 * `tables` lists every table it may publish; pass a constant.
 */
export function useLiveTopic(topic: string, tables: readonly string[]) {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      watchTopic(topic, {
        // Changes before the join were missed: while disconnected, or since the screen read its data.
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
  // A pending mutation invalidates the table when it settles; refetching now would undo the optimistic update.
  if (queryClient.isMutating({ mutationKey: [table] }) > 0) return
  void queryClient.invalidateQueries({ predicate: (query) => readsFrom(query, table) })
}

/** The first part of a key is the table; queries that join others list them in `meta.alsoReads`. */
function readsFrom({ queryKey, meta }: Query, table: string): boolean {
  const others = meta?.alsoReads as string[] | undefined
  return queryKey[0] === table || (others?.includes(table) ?? false)
}
