import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { keepOfflineCopy, readWithOfflineCopy, type Reading } from '#lib/offline/offline-copy.ts'

/** The query must run offline too: it is what finds the copy. Live events refresh it, not a timer. */
export const FINDS_COPY = { networkMode: 'always', retry: false, refetchOnReconnect: true } as const

type Context = { client: QueryClient; queryKey: QueryKey }

/**
 * Reads from the server and stores a copy on the device. If nothing is loaded yet and the server is
 * unreachable, returns the copy. Loaded data is newer than any copy, so then a lost connection is an error.
 */
export async function readOrCopy<Data>(
  { client, queryKey }: Context,
  name: string,
  read: () => Promise<Data>,
): Promise<Reading<Data>> {
  if (client.getQueryData(queryKey) === undefined) return readWithOfflineCopy(name, read)
  return keepOfflineCopy(name, await read())
}
