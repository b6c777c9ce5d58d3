import { queryClient } from '#data/query-client.ts'

/**
 * Runs saves of the same thing one after the other, so that the last one is stored last. For what is not changed through
 * `useMutation`, whose `scope` does the same.
 */
export function saveInOrder<Result>(thing: string, save: () => Promise<Result>): Promise<Result> {
  const mutation = { scope: { id: thing }, mutationFn: save }
  return queryClient.getMutationCache().build(queryClient, mutation).execute(undefined)
}
