import {
  hashKey,
  type Query,
  type QueryCache,
  type QueryClient,
  type QueryFunction,
  type QueryFunctionContext,
  type QueryKey,
  useQueryClient,
} from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isRefused, isUnreachable, NeedsConnection } from '#lib/server/notify-error.ts'
import { findCopy, forgetAllCopies, forgetCopy, keepCopy } from './copy-store.ts'

/** With a copy to show in the meantime, a slow server keeps nobody waiting. */
const PATIENCE_WITH_COPY_MS = 400
/** While the browser says that it is offline; some networks neither respond nor fail. */
const PATIENCE_OFFLINE_MS = 500
/** A copy says how old it is once the response takes this long. */
const LATE_AFTER_MS = 5_000
/** A request that took this long has probably lost its connection. Renewing an old session alone can take half of it. */
const ABANDONED_AFTER_MS = 30_000
const NEXT_TRY_MS = 15_000
/** What is changed without being read, as by live events, is kept at most this often. */
const KEEP_EVERY_MS = 1_000

type Keeping<Data> = {
  /** The part of the data that is kept; undefined leaves the copy as it is. */
  toKeep?: (data: Data) => Data | undefined
  /** A copy as it is shown; undefined waits for the response instead. */
  fromKept?: (data: Data, readAt: number) => Data | undefined
}

const OPTIONS = {
  // It runs offline too, since it is what finds the copy.
  networkMode: 'always',
  retry: false,
  refetchInterval: (query: object): number | false => isKept(query) && NEXT_TRY_MS,
} as const

/**
 * Options of a query whose data is also kept on the device. Where the server is slow or unreachable and nothing is loaded yet, the
 * copy is shown, and replaced by the response.
 */
export function keptOnDevice<Data>(keeping: Keeping<Data> = {}): typeof OPTIONS {
  const persister = (
    queryFn: QueryFunction<Data>,
    context: QueryFunctionContext,
    query: Query,
  ): Promise<Data> => {
    keepChanges(context.client.getQueryCache())
    keepings.set(query, keeping as Keeping<unknown>)
    return read(query, keeping, async () => queryFn(context))
  }
  // Its type would decide that of the query's data.
  return Object.assign({ persister }, OPTIONS)
}

const keepings = new WeakMap<Query, Keeping<unknown>>()
/** Responses that a copy stands in for: the fetch that follows the copy waits for the same one. */
const awaited = new WeakMap<Query, Promise<unknown>>()
/** The last read of each query; an earlier one that responds later says nothing about it. */
const lastReads = new WeakMap<Query, Promise<unknown>>()

type Read<Data> = {
  query: Query
  keeping: Keeping<Data>
  /** See `departures`. */
  departure: number
}

function read<Data>(query: Query, keeping: Keeping<Data>, ask: () => Promise<Data>): Promise<Data> {
  const reading = { query, keeping, departure: departures }
  if (query.state.data === undefined) return readFirst(reading, ask())
  // Changed meanwhile: what is awaited may be older than the change.
  const response = query.state.isInvalidated ? undefined : awaited.get(query)
  awaited.delete(query)
  return settle(reading, within(ABANDONED_AFTER_MS, (response as Promise<Data>) ?? ask()))
}

async function readFirst<Data>(reading: Read<Data>, response: Promise<Data>): Promise<Data> {
  const hoped = navigator.onLine ? response : within(PATIENCE_OFFLINE_MS, response)
  const copy = await Promise.race([ended(hoped), copyAfter(PATIENCE_WITH_COPY_MS, reading)])
  if (copy) {
    awaited.set(reading.query, hoped)
    return show(reading, copy, 'awaited')
  }
  try {
    return await settle(reading, hoped)
  } catch (error) {
    if (!isLost(error)) throw error
    const kept = await findFor(reading)
    if (!kept) throw new NeedsConnection(error)
    return show(reading, kept, 'kept')
  }
}

type ShownCopy<Data> = { data: Data; readAt: number }

async function findFor<Data>(reading: Read<Data>): Promise<ShownCopy<Data> | undefined> {
  const { fromKept = (data) => data } = reading.keeping
  // Where the browser denies storage there is none.
  const copy = await findCopy(reading.query.queryHash).catch(() => undefined)
  const data = copy && fromKept(copy.data as Data, copy.readAt)
  return data === undefined ? undefined : { data, readAt: copy!.readAt }
}

async function copyAfter<Data>(ms: number, reading: Read<Data>) {
  await wait(ms)
  return (await findFor(reading)) ?? new Promise<never>(() => {})
}

function show<Data>(
  { query, departure }: Read<Data>,
  { data, readAt }: ShownCopy<Data>,
  state: State,
): Data {
  setState(query, { state, readAt })
  // Once the copy is in the cache, which takes it for new.
  setTimeout(() => {
    if (departure !== departures) return
    query.setState({ dataUpdatedAt: readAt })
    if (state === 'awaited') query.fetch().catch(() => {})
  })
  if (state === 'awaited') setTimeout(() => noteLate(query), LATE_AFTER_MS)
  return data
}

function noteLate(query: Query) {
  const shown = states.get(query)
  if (shown?.state === 'awaited') setState(query, { ...shown, state: 'late' })
}

/** Passes the response on, keeps it, and learns from it how new the shown data is. */
async function settle<Data>(
  { query, keeping, departure }: Read<Data>,
  response: Promise<Data>,
): Promise<Data> {
  const isOver = () => departure !== departures || lastReads.get(query) !== response
  lastReads.set(query, response)
  try {
    const data = await response
    if (!isOver()) {
      setState(query, { state: 'fresh', readAt: Date.now() })
      keep(query, keeping, data)
    }
    return data
  } catch (error) {
    if (!isOver()) {
      if (isRefused(error)) withdraw(query)
      else if (isLost(error) && query.state.data !== undefined)
        setState(query, {
          state: 'kept',
          readAt: states.get(query)?.readAt ?? query.state.dataUpdatedAt,
        })
    }
    throw error
  }
}

/** Nobody keeps reading what they no longer may. */
function withdraw(query: Query) {
  if (isCopy(query)) query.setState({ data: undefined })
  setState(query, undefined)
  forgetCopy(query.queryHash).catch(() => {})
}

function isLost(error: unknown): boolean {
  // fetch() throws a TypeError if and only if it doesn't reach the server; some clients return it as their own error.
  return error instanceof TypeError || isUnreachable(error)
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const ended = (response: Promise<unknown>) =>
  response.then(
    () => undefined,
    () => undefined,
  )

function within<Data>(ms: number, response: Promise<Data>): Promise<Data> {
  const late = wait(ms).then((): never => {
    throw new TypeError('The server does not respond')
  })
  return Promise.race([response, late])
}

function keep<Data>(query: Query, { toKeep }: Keeping<Data>, data: Data) {
  const kept = toKeep ? toKeep(data) : data
  const readAt = states.get(query)?.readAt
  if (kept === undefined || readAt === undefined) return
  keepCopy(query.queryHash, { data: kept, readAt }).catch((error: unknown) =>
    // Private windows and full disks refuse storage; reading works regardless.
    console.warn('Could not save an offline copy', error),
  )
}

const watched = new WeakSet<QueryCache>()
const due = new Set<Query>()

/** Keeps what live events and the member's own changes make of the data. Its age stays that of the last read. */
function keepChanges(cache: QueryCache) {
  if (watched.has(cache)) return
  watched.add(cache)
  cache.subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !event.action.manual) return
    const query = event.query as Query
    const keeping = keepings.get(query)
    if (!keeping || due.has(query)) return
    due.add(query)
    setTimeout(() => {
      due.delete(query)
      const { data } = query.state
      if (data !== undefined && cache.get(query.queryHash) === query) keep(query, keeping, data)
    }, KEEP_EVERY_MS)
  })
}

/**
 * `fresh`: as the server has it. A copy is `awaited` while its response may still come, `late` if that takes long, and `kept` if it
 * did not come.
 */
type State = 'fresh' | 'awaited' | 'late' | 'kept'
/** `readAt` as in a copy. */
type Shown = { state: State; readAt: number }

let states = new WeakMap<object, Shown>()
const listeners = new Set<() => void>()

function setState(query: Query, next: Shown | undefined) {
  if (next) states.set(query, next)
  else states.delete(query)
  // Once the data itself is in the cache.
  setTimeout(() => {
    for (const listener of listeners) listener()
  })
}

const isCopy = (query: Query) => (states.get(query)?.state ?? 'fresh') !== 'fresh'

/** Whether what is shown of a query is old because the server was not reached. */
export function isKept(query: object): boolean {
  return states.get(query)?.state === 'kept'
}

/** The data of a query was brought up to date by other means than reading it. */
export function noteUpToDate(client: QueryClient, queryKey: QueryKey) {
  const query = client.getQueryCache().get(hashKey(queryKey))
  if (query) setState(query, { state: 'fresh', readAt: Date.now() })
}

/**
 * `isAwaited`: a copy is shown that the response may still replace. `copiedAt`: when a copy that says its age was read, in
 * milliseconds since 1970.
 */
export function useCopyState({ queryKey }: { queryKey: QueryKey }) {
  const cache = useQueryClient().getQueryCache()
  const queryHash = hashKey(queryKey)
  const shown = useSyncExternalStore(subscribe, () => {
    const query = cache.get(queryHash)
    return query && states.get(query)
  })
  const isAwaited = shown?.state === 'awaited' || shown?.state === 'late'
  const isOld = shown?.state === 'late' || shown?.state === 'kept'
  return { isAwaited, copiedAt: isOld ? shown.readAt : undefined }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** How often a member left this device: a response to them must not be kept for the next. */
let departures = 0

/** Another member on the same device starts empty. */
export async function forgetCopies(): Promise<void> {
  departures++
  states = new WeakMap()
  await forgetAllCopies()
}
