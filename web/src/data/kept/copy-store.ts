// What was read, kept on this device for reading it offline: bounded, and only for the member who is signed in.
import { openDB, type IDBPDatabase } from 'idb'

export type Kept = { data: unknown; readAt: number }

const STORE = 'copies'
const BY_AGE = 'by-age'

/** In characters of their JSON; a longer one is not kept. */
const MOST_PER_COPY = 1_000_000
const MOST_IN_ALL = 20_000_000
/** The kind is the first word of a name. `thread` is a chat's messages. */
const MOST_OF_KIND: Record<string, number> = { thread: 50 }
const MOST_OF_OTHER_KINDS = 500
/** After the last of many. */
const BOUNDED_AFTER_MS = 1_000

let connection: Promise<IDBPDatabase> | undefined

function open(): Promise<IDBPDatabase> {
  connection ??= openDB('read-offline', 1, {
    upgrade: (database) =>
      void database.createObjectStore(STORE).createIndex(BY_AGE, ['readAt', 'size']),
    terminated: () => (connection = undefined),
  }).catch((error: unknown) => {
    connection = undefined
    throw error
  })
  return connection
}

export async function findKept(name: string): Promise<Kept | undefined> {
  return (await (await open()).get(STORE, name)) as Kept | undefined
}

export async function keep(name: string, { data, readAt }: Kept): Promise<void> {
  const size = JSON.stringify(data).length
  const database = await open()
  if (size > MOST_PER_COPY) return database.delete(STORE, name)
  await database.put(STORE, { data, readAt, size }, name)
  removeOldestSoon()
}

export async function forgetAllKept(): Promise<void> {
  clearTimeout(soon)
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
    const kind = (cursor.primaryKey as string).split(' ', 1)[0]!
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    total += size
    if (total > MOST_IN_ALL || count > (MOST_OF_KIND[kind] ?? MOST_OF_OTHER_KINDS))
      removed.push(cursor.primaryKey)
    cursor = await cursor.continue()
  }
  await Promise.all([...removed.map((key) => store.delete(key)), done])
}
