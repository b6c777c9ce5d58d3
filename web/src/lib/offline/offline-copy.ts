import { openDB } from 'idb'
import { m } from '#lib/messages/messages.js'
import { isUnreachable } from '#lib/supabase/notify-error.ts'

/** The data, when it was read, and whether it is an offline copy because the server was unreachable. */
export type Reading<Data> = {
  data: Data
  readAt: number
  isCopy: boolean
  /** A copy shown because the server is slow; its answer is still awaited. */
  isAwaited?: boolean
}

const STORE = 'copies'
/** How long to wait for the server. Renewing an old session alone can take half a minute. */
const PATIENCE_MS = { online: 5000, offline: 500 }
/** With a copy to show in the meantime, a slow server keeps nobody waiting. */
const PATIENCE_WITH_COPY_MS = 400
const NEXT_TRY_MS = 15_000

const opening = () =>
  openDB('offline-copies', 1, {
    upgrade(database) {
      database.createObjectStore(STORE)
    },
  })

/** The server is unreachable, and there is no copy either. */
export class NeedsConnection extends Error {
  constructor(cause: unknown) {
    super(m.ui_needs_connection(), { cause })
  }
}

type Kept = { state: { data?: Reading<unknown> | undefined } }

/**
 * For every query with an offline copy. It runs offline too, since it is what finds the copy, and refetches
 * as soon as the server responds again.
 */
export const READS_OFFLINE = {
  networkMode: 'always',
  retry: false,
  refetchInterval: ({ state }: Kept) =>
    state.data?.isAwaited ? 1 : state.data?.isCopy ? NEXT_TRY_MS : false,
} as const

/**
 * Reads from the server and stores a copy on the device; offline, returns the copy. A server refusal is
 * thrown, so that nobody keeps reading what they no longer may.
 */
export async function readWithOfflineCopy<Data>(
  name: string,
  read: () => Promise<Data>,
): Promise<Reading<Data>> {
  try {
    return await Promise.race([readAndKeep(name, read), giveUpWaiting<Data>(name)])
  } catch (error) {
    // fetch() throws a TypeError if and only if it doesn't reach the server; some clients return it as their own error.
    if (!(error instanceof TypeError) && !isUnreachable(error)) throw error
    const copy = await findCopy<Data>(name)
    if (copy) return copy
    throw new NeedsConnection(error)
  }
}

/** Reads that a copy stands in for, by name: the next read of that name gets the same answer. */
const awaited = new Map<string, Promise<Reading<unknown>>>()

/** The same, but if the server is slow, a stored copy is shown at once. Only with `READS_OFFLINE`, which reads on. */
export async function readCopyFirst<Data>(
  name: string,
  read: () => Promise<Data>,
): Promise<Reading<Data>> {
  const answer = awaited.get(name) as Promise<Reading<Data>> | undefined
  if (answer) return answer
  const reading = readWithOfflineCopy(name, read)
  const copy = await Promise.race([reading.then(() => undefined), copyAfterAWhile<Data>(name)])
  if (!copy || !navigator.onLine) return reading
  awaited.set(name, reading)
  const forget = () => void awaited.delete(name)
  reading.then(forget, forget)
  return { ...copy, isCopy: false, isAwaited: true }
}

async function copyAfterAWhile<Data>(name: string): Promise<Reading<Data> | undefined> {
  await new Promise((resolve) => setTimeout(resolve, PATIENCE_WITH_COPY_MS))
  return (await findCopy<Data>(name)) ?? new Promise(() => {})
}

/** Another member on the same device starts empty. */
export async function forgetOfflineCopies(): Promise<void> {
  awaited.clear()
  await (await opening()).clear(STORE)
}

async function readAndKeep<Data>(name: string, read: () => Promise<Data>): Promise<Reading<Data>> {
  return keepOfflineCopy(name, await read())
}

/** For data that is kept up to date after it was read. */
export async function keepOfflineCopy<Data>(name: string, data: Data): Promise<Reading<Data>> {
  const reading = { data, readAt: Date.now(), isCopy: false }
  try {
    await (await opening()).put(STORE, reading, name)
  } catch (error) {
    // Private windows and full disks refuse storage; reading works regardless.
    console.warn('Could not save an offline copy', error)
  }
  return reading
}

/** Some networks neither respond nor fail. Without a copy, wait, unless the browser knows it is offline. */
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
