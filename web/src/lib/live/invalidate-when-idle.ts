import type { QueryClient } from '@tanstack/react-query'

/**
 * Invalidates a table after the last of several concurrent mutations. Refetching earlier would return only the first
 * change and make the screen flicker. The first part of a query key is the table.
 */
export function invalidateWhenIdle(
  queryClient: QueryClient,
  mutationKey: readonly [string, ...unknown[]],
) {
  if (queryClient.isMutating({ mutationKey }) > 1) return
  return queryClient.invalidateQueries({ queryKey: [mutationKey[0]] })
}
