import type { QueryClient } from '@tanstack/react-query'

/**
 * Reads a table again after the last of several changes under way. Between two of them the server knows the first only,
 * and what is shown would jump back and forth. The first part of the key is the table, as it is for queries.
 */
export function refreshAfterLast(
  queryClient: QueryClient,
  mutationKey: readonly [string, ...unknown[]],
) {
  if (queryClient.isMutating({ mutationKey }) > 1) return
  return queryClient.invalidateQueries({ queryKey: [mutationKey[0]] })
}
