import type { QueryClient } from '@tanstack/react-query'
import { readAgain } from './read-again.ts'

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
