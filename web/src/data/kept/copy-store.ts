// Query data on this device, for reading offline: bounded, and only of the member who is signed in.
import { deleteDB, openDB, type IDBPDatabase } from 'idb'

/** `readAt` is in milliseconds since 1970, as on this device's clock. */
export type Copy = { data: unknown; readAt: number }

const STORE = 'queries'
const BY_AGE = 'by-age'

/** In characters of their JSON; a longer one is not kept. */
const MOST_PER_COPY = 1_000_000
const MOST_IN_ALL = 20_000_000
/** By kind: a query key without its last part. */
const MOST_OF_KIND: Record<string, number> = { chat_messages: 50 }
const MOST_OF_OTHER_KINDS = 500
/** After the last of many. */
const BOUNDED_AFTER_MS = 1_000

let connection: Promise<IDBPDatabase> | undefined

function open(): Promise<IDBPDatabase> {
  connection ??= openDB('query-copies', 1, {
    upgrade(database) {
      database.createObjectStore(STORE).createIndex(BY_AGE, ['readAt', 'size'])
      // Where earlier versions of the app kept them.
      void deleteDB('read-offline')
    },
    terminated: () => (connection = undefined),
  }).catch((error: unknown) => {
    connection = undefined
    throw error
  })
  return connection
}

export async function findCopy(queryHash: string): Promise<Copy | undefined> {
  return (await (await open()).get(STORE, queryHash)) as Copy | undefined
}

type Row = Copy & { size: number }

/** Not written yet; null deletes the copy. */
let waiting = new Map<string, Row | null>()
let written: Promise<void> | undefined

/**
 * Resolves once the copy is stored. What is kept in the same turn, such as the responses to one request, is stored together and
 * resolves together, so that it is also drawn together.
 */
export function keepCopy(queryHash: string, { data, readAt }: Copy): Promise<void> {
  const size = JSON.stringify(data).length
  waiting.set(queryHash, size > MOST_PER_COPY ? null : { data, readAt, size })
  written ??= writeNext()
  return written
}

async function writeNext(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
  const rows = waiting
  waiting = new Map()
  written = undefined
  const { store, done } = (await open()).transaction(STORE, 'readwrite')
  const requests = [...rows].map(([queryHash, row]) =>
    row ? store.put(row, queryHash) : store.delete(queryHash),
  )
  await Promise.all([...requests, done])
  removeOldestSoon()
}

export async function forgetCopy(queryHash: string): Promise<void> {
  waiting.delete(queryHash)
  await (await open()).delete(STORE, queryHash)
}

export async function forgetAllCopies(): Promise<void> {
  clearTimeout(soon)
  waiting.clear()
  await (await open()).clear(STORE)
}

let soon: ReturnType<typeof setTimeout> | undefined

function removeOldestSoon() {
  clearTimeout(soon)
  soon = setTimeout(() => {
    removeOldest().catch((error: unknown) => console.warn('Old copies are still kept', error))
  }, BOUNDED_AFTER_MS)
}

/** What was read longest ago goes first. */
export async function removeOldest(): Promise<void> {
  const { store, done } = (await open()).transaction(STORE, 'readwrite')
  const counts = new Map<string, number>()
  const removed: IDBValidKey[] = []
  let total = 0
  let cursor = await store.index(BY_AGE).openKeyCursor(null, 'prev')
  while (cursor) {
    const [, size] = cursor.key as [number, number]
    const kind = kindOf(cursor.primaryKey as string)
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    total += size
    if (total > MOST_IN_ALL || count > (MOST_OF_KIND[kind] ?? MOST_OF_OTHER_KINDS))
      removed.push(cursor.primaryKey)
    cursor = await cursor.continue()
  }
  await Promise.all([...removed.map((key) => store.delete(key)), done])
}

function kindOf(queryHash: string): string {
  const key = JSON.parse(queryHash) as unknown[]
  return key.slice(0, Math.max(1, key.length - 1)).join(' ')
}
