import { QueryClient } from '@tanstack/react-query'

/** Server data lives here and nowhere else. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, gcTime: 24 * 60 * 60_000, retry: 1 } },
})
