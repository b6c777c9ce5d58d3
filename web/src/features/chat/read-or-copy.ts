import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { keepOfflineCopy, readWithOfflineCopy, type Reading } from '#lib/offline-copy.ts'

/** A query must run without a connection too: it is what finds the copy. Live events refresh it, not a timer. */
export const FINDS_COPY = { networkMode: 'always', retry: false, refetchOnReconnect: true } as const

type Context = { client: QueryClient; queryKey: QueryKey }

/**
 * Reads from the server and keeps a copy; where nothing is known yet and the server is out of reach, the copy of an
 * earlier time is the answer. What is known already is newer than any copy: then a lost connection is an error.
 */
export async function readOrCopy<Data>(
  { client, queryKey }: Context,
  name: string,
  read: () => Promise<Data>,
): Promise<Reading<Data>> {
  if (client.getQueryData(queryKey) === undefined) return readWithOfflineCopy(name, read)
  return keepOfflineCopy(name, await read())
}
