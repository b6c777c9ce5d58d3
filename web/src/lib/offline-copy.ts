import { openDB } from 'idb'
import { m } from './messages/messages.js'

/** What was read, when, and whether it is the copy of an earlier reading because the server was out of reach. */
export type Reading<Data> = { data: Data; readAt: number; isCopy: boolean }

const STORE = 'copies'
/** How long the server may keep a member waiting. Renewing an old session alone is tried for half a minute. */
const PATIENCE_MS = { online: 5000, offline: 500 }
const NEXT_TRY_MS = 15_000

const opening = () =>
  openDB('offline-copies', 1, {
    upgrade(database) {
      database.createObjectStore(STORE)
    },
  })

/** The server is out of reach, and there is no copy either. */
export class NeedsConnection extends Error {
  constructor(cause: unknown) {
    super(m.ui_needs_connection(), { cause })
  }
}

type Kept = { state: { data?: Reading<unknown> | undefined } }

/**
 * For every query that reads with a copy. It runs without a connection too, for it is what finds the copy; and who
 * reads a copy gets the real thing as soon as the server answers again.
 */
export const READS_OFFLINE = {
  networkMode: 'always',
  retry: false,
  refetchInterval: ({ state }: Kept) => (state.data?.isCopy ? NEXT_TRY_MS : false),
} as const

/**
 * Reads from the server and keeps a copy on the device; without a connection the copy is what is read. A refusal by
 * the server is no lost connection: it is thrown, so that nobody keeps reading what is no longer theirs.
 */
export async function readWithOfflineCopy<Data>(
  name: string,
  read: () => Promise<Data>,
): Promise<Reading<Data>> {
  try {
    return await Promise.race([readAndKeep(name, read), giveUpWaiting<Data>(name)])
  } catch (error) {
    // fetch() throws a TypeError when it does not reach the server, and nothing else does.
    if (!(error instanceof TypeError)) throw error
    const copy = await findCopy<Data>(name)
    if (copy) return copy
    throw new NeedsConnection(error)
  }
}

/** Another member on the same device starts with nothing. */
export async function forgetOfflineCopies(): Promise<void> {
  await (await opening()).clear(STORE)
}

async function readAndKeep<Data>(name: string, read: () => Promise<Data>): Promise<Reading<Data>> {
  return keepOfflineCopy(name, await read())
}

/** For what keeps itself up to date after it was read. */
export async function keepOfflineCopy<Data>(name: string, data: Data): Promise<Reading<Data>> {
  const reading = { data, readAt: Date.now(), isCopy: false }
  try {
    await (await opening()).put(STORE, reading, name)
  } catch (error) {
    // Private windows and full disks refuse storage; reading works all the same.
    console.warn('No offline copy was kept', error)
  }
  return reading
}

/** Some networks neither answer nor fail. Without a copy there is nothing better than to wait, unless the browser knows. */
async function giveUpWaiting<Data>(name: string): Promise<Reading<Data>> {
  const isOffline = !navigator.onLine
  await new Promise((resolve) =>
    setTimeout(resolve, isOffline ? PATIENCE_MS.offline : PATIENCE_MS.online),
  )
  const copy = await findCopy<Data>(name)
  if (copy) return copy
  if (isOffline) throw new TypeError('The server does not answer')
  return new Promise(() => {})
}

async function findCopy<Data>(name: string): Promise<Reading<Data> | undefined> {
  try {
    const kept = (await (await opening()).get(STORE, name)) as Reading<Data> | undefined
    return kept && { ...kept, isCopy: true }
  } catch {
    return undefined
  }
}
