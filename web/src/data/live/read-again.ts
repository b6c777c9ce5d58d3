import type { Query, QueryClient } from '@tanstack/react-query'

type Filters = { queryKey?: readonly unknown[]; predicate?: (query: Query) => boolean }

/** Queries whose first read is followed by another. */
const readTwice = new WeakSet<Query>()

/**
 * Invalidates queries whose data changed. The library lets a first read that is under way go on, which may be older than the
 * change: such a query is read once more.
 */
export function readAgain(client: QueryClient, filters: Filters): void {
  for (const query of client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined || readTwice.has(query)) continue
    readTwice.add(query)
    const again = () => {
      readTwice.delete(query)
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    }
    query.promise?.then(again, again)
  }
  void client.invalidateQueries(filters)
}

/** The same, unless a mutation of the table is pending: it reads again when it settles, and earlier would undo its optimistic update. */
export function readAgainUnlessChanging(
  client: QueryClient,
  table: unknown,
  filters: Filters,
): void {
  if (client.isMutating({ mutationKey: [table] }) === 0) readAgain(client, filters)
}

/**
 * Invalidates a table after the last of several concurrent mutations. Refetching earlier would return only the first
 * change and make the screen flicker. The first part of a query key is the table.
 */
export function invalidateWhenIdle(
  queryClient: QueryClient,
  mutationKey: readonly [string, ...unknown[]],
): void {
  if (queryClient.isMutating({ mutationKey }) > 1) return
  // Not awaited: live events are ignored while a mutation is pending, and one may arrive during this refetch.
  readAgain(queryClient, { queryKey: [mutationKey[0]] })
}
