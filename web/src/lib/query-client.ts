import { QueryClient, type Query } from '@tanstack/react-query'
import type { Reading } from './offline-copy.ts'

/** Server data lives here and nowhere else. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, gcTime: 24 * 60 * 60_000, retry: 1 } },
})

// The library refetches by itself only what was interrupted under its eyes, not what was opened without a connection.
window.addEventListener('online', () => {
  void queryClient.refetchQueries({ type: 'active', predicate: isMissing })
})

function isMissing({ state }: Query): boolean {
  return state.status === 'error' || Boolean((state.data as Partial<Reading<unknown>>)?.isCopy)
}
