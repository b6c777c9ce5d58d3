import { hashKey, type QueryKey } from '@tanstack/react-query'
import { findCopy, keepCopy } from '#data/kept/copy-store.ts'

type Named = { queryKey: QueryKey }

/** Puts a copy of a query's data on the device, as an earlier visit did. */
export function keepFor({ queryKey }: Named, data: unknown, readAt = Date.now()): Promise<void> {
  return keepCopy(hashKey(queryKey), { data, readAt })
}

/** What the device holds of a query. */
export async function keptOf({ queryKey }: Named): Promise<unknown> {
  return (await findCopy(hashKey(queryKey)))?.data
}
