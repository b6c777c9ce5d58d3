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
  refetchInterval: (query: object): number | false => isOld(query as Query) && NEXT_TRY_MS,
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
    watch(context.client.getQueryCache())
    keepings.set(query, keeping as Keeping<unknown>)
    departureOf.set(query, departures)
    upToDate.delete(query)
    return read(query, keeping, async () => queryFn(context))
  }
  // Its type would decide that of the query's data.
  return Object.assign({ persister }, OPTIONS)
}

const keepings = new WeakMap<Query, Keeping<unknown>>()

function read<Data>(query: Query, keeping: Keeping<Data>, ask: () => Promise<Data>): Promise<Data> {
  if (isFurtherPage(query)) return ask()
  const reading = { query, keeping, departure: departures }
  if (query.state.data === undefined) return readFirst(reading, ask())
  const response = (awaited.get(query) as Promise<Data> | undefined) ?? ask()
  awaited.delete(query)
  return within(ABANDONED_AFTER_MS, kept(reading, response))
}

/** Of an infinite query; the first page is what is kept. */
const isFurtherPage = ({ state }: Query) => state.fetchMeta?.fetchMore !== undefined

type Reading<Data> = {
  query: Query
  keeping: Keeping<Data>
  /** See `departures`. */
  departure: number
}

async function readFirst<Data>(reading: Reading<Data>, response: Promise<Data>): Promise<Data> {
  const hoped = navigator.onLine ? response : within(PATIENCE_OFFLINE_MS, response)
  const early = await Promise.race([ended(hoped), copyAfter(PATIENCE_WITH_COPY_MS, reading)])
  if (early) return enter(reading.query, { ...early, response: hoped })
  try {
    return await kept(reading, hoped)
  } catch (error) {
    if (!isLost(error)) throw error
    const copy = await findFor(reading)
    if (!copy) throw new NeedsConnection(error)
    return enter(reading.query, copy)
  }
}

async function findFor<Data>({
  query,
  keeping: { fromKept = (data) => data },
  departure,
}: Reading<Data>): Promise<{ data: Data; readAt: number } | undefined> {
  // Where the browser denies storage there is none.
  const copy = await findCopy(query.queryHash).catch(() => undefined)
  if (!copy || departure !== departures) return undefined
  const data = fromKept(copy.data as Data, copy.readAt)
  return data === undefined ? undefined : { data, readAt: copy.readAt }
}

async function copyAfter<Data>(ms: number, reading: Reading<Data>) {
  await wait(ms)
  return (await findFor(reading)) ?? new Promise<never>(() => {})
}

/** Stored before it is shown: what a member saw is there offline. */
async function kept<Data>(reading: Reading<Data>, response: Promise<Data>): Promise<Data> {
  const data = await response
  if (reading.departure === departures) await keep(reading, data, Date.now())
  return data
}

async function keep<Data>(
  { query, keeping: { toKeep } }: Pick<Reading<Data>, 'query' | 'keeping'>,
  data: Data,
  readAt: number,
): Promise<void> {
  const part = toKeep ? toKeep(data) : data
  if (part === undefined) return
  await keepCopy(query.queryHash, { data: part, readAt }).catch((error: unknown) =>
    // Private windows and full disks refuse storage; reading works regardless.
    console.warn('Could not save an offline copy', error),
  )
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

/** A copy on its way into the cache; `response` is still awaited. */
type Entering = { data: unknown; readAt: number; response?: Promise<unknown> }

const entering = new WeakMap<Query, Entering>()
/** Responses that a copy stands in for: the fetch that follows the copy waits for the same one. */
const awaited = new WeakMap<Query, Promise<unknown>>()

function enter<Data>(query: Query, copy: Entering & { data: Data }): Data {
  entering.set(query, copy)
  return copy.data
}

const watched = new WeakSet<QueryCache>()

/** Only what has entered the cache counts: a fetch may be cancelled after its response. */
function watch(cache: QueryCache) {
  if (watched.has(cache)) return
  watched.add(cache)
  cache.subscribe((event) => {
    const query = event.query as Query
    if (event.type !== 'updated' || departureOf.get(query) !== departures) return
    const { action } = event
    if (action.type === 'success' && action.manual) keepSoon(cache, query)
    else if (isFurtherPage(query)) return
    else if (action.type === 'success') noteEntered(query)
    else if (action.type === 'error') noteFailed(query, action.error)
  })
}

function noteEntered(query: Query) {
  const copy = entering.get(query)
  entering.delete(query)
  // The library keeps the identity of what enters an empty query.
  if (!copy || copy.data !== query.state.data)
    return setShown(query, { state: 'fresh', readAt: Date.now() })
  const { readAt, response } = copy
  const shown: Shown = { state: response ? 'awaited' : 'kept', readAt }
  setShown(query, shown)
  // After the dispatch that this is part of.
  setTimeout(() => {
    if (states.get(query) !== shown) return
    // The library takes the copy for new.
    query.setState({ dataUpdatedAt: readAt })
    if (!response) return
    awaited.set(query, response)
    query.fetch().catch(() => {})
  })
  if (response) setTimeout(() => noteLate(query, shown), LATE_AFTER_MS)
}

function noteLate(query: Query, shown: Shown) {
  if (states.get(query) === shown) setShown(query, { ...shown, state: 'late' })
}

function noteFailed(query: Query, error: unknown) {
  if (isRefused(error)) return withdraw(query)
  const { data, dataUpdatedAt } = query.state
  if (isLost(error) && data !== undefined && !upToDate.has(query))
    setShown(query, { state: 'kept', readAt: states.get(query)?.readAt ?? dataUpdatedAt })
}

/** Nobody keeps reading what they no longer may. */
function withdraw(query: Query) {
  if ((states.get(query)?.state ?? 'fresh') !== 'fresh') query.setState({ data: undefined })
  setShown(query, undefined)
  forgetCopy(query.queryHash).catch(() => {})
}

const due = new Set<Query>()

/** Keeps what live events and the member's own changes make of the data. Its age stays that of the last read. */
function keepSoon(cache: QueryCache, query: Query) {
  if (due.has(query)) return
  due.add(query)
  setTimeout(() => {
    due.delete(query)
    const { data } = query.state
    const keeping = keepings.get(query)
    const shown = states.get(query)
    if (data === undefined || !keeping || !shown || cache.get(query.queryHash) !== query) return
    void keep({ query, keeping }, data, shown.readAt)
  }, KEEP_EVERY_MS)
}

/**
 * `fresh`: as the server has it. A copy is `awaited` while its response may still come, `late` if that takes long, and `kept` if it
 * did not come.
 */
type State = 'fresh' | 'awaited' | 'late' | 'kept'
/** `readAt` as in a copy. */
type Shown = { state: State; readAt: number }

let states = new WeakMap<Query, Shown>()
const listeners = new Set<() => void>()

function setShown(query: Query, next: Shown | undefined) {
  if (next) states.set(query, next)
  else states.delete(query)
  // Once the data itself is in the cache.
  setTimeout(() => {
    for (const listener of listeners) listener()
  })
}

/** Whether what is shown of a query is old because the server was not reached. */
export function isOld(query: Query): boolean {
  const { data, error } = query.state
  return states.get(query)?.state === 'kept' || (data !== undefined && isLost(error))
}

/** Whether a copy is shown whose response may still come. */
export function isAwaited(query: Query): boolean {
  return awaits(states.get(query))
}

const awaits = (shown: Shown | undefined) => shown?.state === 'awaited' || shown?.state === 'late'

/** Queries brought up to date while a read is under way, whose failure then says nothing. */
const upToDate = new WeakSet<Query>()

/** The data of a query was brought up to date by other means than reading it. */
export function noteUpToDate(client: QueryClient, queryKey: QueryKey) {
  const query = client.getQueryCache().get(hashKey(queryKey))
  if (!query) return
  upToDate.add(query)
  setShown(query, { state: 'fresh', readAt: Date.now() })
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
  const saysAge = shown?.state === 'late' || shown?.state === 'kept'
  return { isAwaited: awaits(shown), copiedAt: saysAge ? shown.readAt : undefined }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** How often a member left this device: a response to them must not be kept for the next. */
let departures = 0
const departureOf = new WeakMap<Query, number>()

/** Another member on the same device starts empty. */
export async function forgetCopies(): Promise<void> {
  departures++
  states = new WeakMap()
  await forgetAllCopies()
}
