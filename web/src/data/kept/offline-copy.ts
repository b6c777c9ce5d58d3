import { m } from '#lib/messages/messages.js'
import { isUnreachable } from '#lib/server/notify-error.ts'
import { findKept, forgetAllKept, keep } from './copy-store.ts'

/** The data, when it was read, and whether it is an offline copy because the server was unreachable. */
export type Reading<Data> = {
  data: Data
  readAt: number
  isCopy: boolean
  /** A copy shown because the server is slow; its answer is still awaited. */
  isAwaited?: boolean
}

/** How long to wait for the server. Renewing an old session alone can take half a minute. */
export const PATIENCE_MS = { online: 5000, offline: 500 }
/** With a copy to show in the meantime, a slow server keeps nobody waiting. */
const PATIENCE_WITH_COPY_MS = 400
/** A request that took this long has probably lost its connection. */
const ABANDONED_AFTER_MS = 30_000
const NEXT_TRY_MS = 15_000

/** The server is unreachable, and there is no copy either. */
export class NeedsConnection extends Error {
  /** As far as the browser knows; if not, it is the server that does not answer. */
  readonly isOffline = !navigator.onLine

  constructor(cause: unknown) {
    super(navigator.onLine ? m.ui_needs_server() : m.ui_needs_connection(), { cause })
  }
}

type QueryState = { state: { data?: Reading<unknown> | undefined } }

/**
 * For every query with an offline copy. It runs offline too, since it is what finds the copy, and refetches
 * as soon as the server responds again.
 */
export const READS_OFFLINE = {
  networkMode: 'always',
  retry: false,
  refetchInterval: ({ state }: QueryState) => nextReadMs(state.data),
} as const

/** When to read again after this one; false is never. */
export function nextReadMs(reading: Reading<unknown> | undefined): number | false {
  if (reading?.isAwaited) return 1
  return reading?.isCopy ? NEXT_TRY_MS : false
}

/**
 * Reads from the server and stores a copy on the device; offline, returns the copy. A server refusal is
 * thrown, so that nobody keeps reading what they no longer may.
 */
export async function readWithOfflineCopy<Data>(
  name: string,
  read: () => Promise<Data>,
  patienceMs = PATIENCE_MS.online,
): Promise<Reading<Data>> {
  try {
    return await Promise.race([readAndKeep(name, read), giveUpWaiting<Data>(name, patienceMs)])
  } catch (error) {
    // fetch() throws a TypeError if and only if it doesn't reach the server; some clients return it as their own error.
    if (!(error instanceof TypeError) && !isUnreachable(error)) throw error
    const copy = await findCopy<Data>(name)
    if (copy) return copy
    throw new NeedsConnection(error)
  }
}

/** A stored copy, shown because the server is slow, and the answer that it stands in for. */
export type CopyAndAnswer<Data> = { copy: Reading<Data>; answer: Promise<Reading<Data>> }

/** What the server answers, or if it takes its time, a stored copy and the answer to come. */
export async function readOrCopyMeanwhile<Data>(
  name: string,
  read: () => Promise<Data>,
): Promise<Reading<Data> | CopyAndAnswer<Data>> {
  const answer = readWithOfflineCopy(name, read, ABANDONED_AFTER_MS)
  const copy = await copyUnlessAnswered<Data>(name, answer, PATIENCE_WITH_COPY_MS)
  return copy ? { copy, answer } : answer
}

/** Answers that a copy stands in for, by name: the next read of that name waits for the same answer. */
const awaited = new Map<string, Promise<Reading<unknown>>>()

/**
 * With a slow server, a stored copy at once, marked as one if the answer takes long. Only with
 * `READS_OFFLINE`, which reads on.
 * @param isOutdated a change was made after what is awaited was asked for, so it is asked for again
 */
export async function readCopyFirst<Data>(
  name: string,
  read: () => Promise<Data>,
  isOutdated = false,
): Promise<Reading<Data>> {
  const known = isOutdated ? undefined : (awaited.get(name) as Promise<Reading<Data>> | undefined)
  if (known) {
    const copy = await copyUnlessAnswered<Data>(name, known, PATIENCE_MS.online)
    return copy ? { ...copy, isAwaited: true } : known
  }
  const reading = await readOrCopyMeanwhile(name, read)
  if (!('copy' in reading)) return reading
  const { copy, answer } = reading
  awaited.set(name, answer)
  const forget = () => void (awaited.get(name) === answer && awaited.delete(name))
  answer.then(forget, forget)
  return { ...copy, isCopy: false, isAwaited: true }
}

function copyUnlessAnswered<Data>(name: string, answer: Promise<unknown>, patienceMs: number) {
  const none = () => undefined
  return Promise.race([answer.then(none, none), copyAfter<Data>(name, patienceMs)])
}

async function copyAfter<Data>(name: string, delayMs: number): Promise<Reading<Data>> {
  await wait(delayMs)
  return (await findCopy<Data>(name)) ?? new Promise(() => {})
}

/** Some networks neither respond nor fail. Without a copy, wait, unless the browser knows it is offline. */
async function giveUpWaiting<Data>(name: string, patienceMs: number): Promise<Reading<Data>> {
  if (navigator.onLine) return copyAfter(name, patienceMs)
  await wait(PATIENCE_MS.offline)
  const copy = await findCopy<Data>(name)
  if (copy) return copy
  throw new TypeError('The server does not answer')
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** How often a member left this device: an answer to them must not be kept for the next. */
let departures = 0

/** Another member on the same device starts empty. */
export async function forgetOfflineCopies(): Promise<void> {
  departures++
  awaited.clear()
  await forgetAllKept()
}

/** Reads from the server and stores a copy on the device. */
export async function readAndKeep<Data>(
  name: string,
  read: () => Promise<Data>,
): Promise<Reading<Data>> {
  const before = departures
  const data = await read()
  if (before === departures) return keepOfflineCopy(name, data)
  return { data, readAt: Date.now(), isCopy: false }
}

/** For data that is kept up to date after it was read. */
export async function keepOfflineCopy<Data>(name: string, data: Data): Promise<Reading<Data>> {
  const readAt = Date.now()
  try {
    await keep(name, { data, readAt })
  } catch (error) {
    // Private windows and full disks refuse storage; reading works regardless.
    console.warn('Could not save an offline copy', error)
  }
  return { data, readAt, isCopy: false }
}

async function findCopy<Data>(name: string): Promise<Reading<Data> | undefined> {
  try {
    const kept = await findKept(name)
    return kept && { data: kept.data as Data, readAt: kept.readAt, isCopy: true }
  } catch {
    return undefined
  }
}
