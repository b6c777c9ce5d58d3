import { openDB } from 'idb'

/** What was read, when, and whether it is the copy of an earlier reading because the server was out of reach. */
export type Reading<Data> = { data: Data; readAt: number; isCopy: boolean }

const STORE = 'copies'

const opening = () =>
  openDB('offline-copies', 1, {
    upgrade(database) {
      database.createObjectStore(STORE)
    },
  })

/**
 * Reads from the server and keeps a copy on the device; without a connection the copy is what is read. A refusal by
 * the server is no lost connection: it is thrown, so that nobody keeps reading what is no longer theirs.
 */
export async function readWithOfflineCopy<Data>(
  name: string,
  read: () => Promise<Data>,
): Promise<Reading<Data>> {
  try {
    const reading = { data: await read(), readAt: Date.now(), isCopy: false }
    await keepCopy(name, reading)
    return reading
  } catch (error) {
    // fetch() throws a TypeError when it does not reach the server, and nothing else does.
    const copy = error instanceof TypeError ? await findCopy<Data>(name) : undefined
    if (copy) return { ...copy, isCopy: true }
    throw error
  }
}

/** Another member on the same device starts with nothing. */
export async function forgetOfflineCopies(): Promise<void> {
  await (await opening()).clear(STORE)
}

async function keepCopy<Data>(name: string, reading: Reading<Data>) {
  try {
    await (await opening()).put(STORE, reading, name)
  } catch (error) {
    // Private windows and full disks refuse storage; reading works all the same.
    console.warn('No offline copy was kept', error)
  }
}

async function findCopy<Data>(name: string): Promise<Reading<Data> | undefined> {
  try {
    return (await (await opening()).get(STORE, name)) as Reading<Data> | undefined
  } catch {
    return undefined
  }
}
