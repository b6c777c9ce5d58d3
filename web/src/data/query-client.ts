import { QueryClient, type Query } from '@tanstack/react-query'
import type { Reading } from '#data/kept/offline-copy.ts'
import { onServerBack } from '#lib/server/server-reach.ts'

/** The only place for server data. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Offline the library would wait silently; every screen says so instead.
    queries: { staleTime: 30_000, gcTime: 24 * 60 * 60_000, retry: 1, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

// The library only retries what was interrupted while loading, not what was opened offline.
window.addEventListener('online', readMissing)
onServerBack(readMissing)

function readMissing() {
  void queryClient.refetchQueries({ type: 'active', predicate: isMissing })
}

function isMissing({ state }: Query): boolean {
  return state.status === 'error' || Boolean((state.data as Partial<Reading<unknown>>)?.isCopy)
}
