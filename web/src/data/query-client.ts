import { QueryClient, type Query } from '@tanstack/react-query'
import { isOld } from '#data/kept/kept-queries.ts'
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

function isMissing(query: Query): boolean {
  return query.state.status === 'error' || isOld(query)
}
