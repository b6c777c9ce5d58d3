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
