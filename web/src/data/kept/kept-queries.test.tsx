import 'fake-indexeddb/auto'
import {
  hashKey,
  infiniteQueryOptions,
  InfiniteQueryObserver,
  QueryClient,
  QueryClientProvider,
  QueryObserver,
  queryOptions,
  type InfiniteData,
} from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NeedsConnection } from '#lib/server/notify-error.ts'
import { keepFor, keptOf } from '../../../testing/kept-copies.ts'
import { keepCopy, removeOldest } from './copy-store.ts'
import { forgetCopies, keptOnDevice, noteUpToDate, useCopyState } from './kept-queries.ts'

type Read = () => Promise<string[]>

const KEY = { queryKey: ['schedule'] }
const HOUR_MS = 60 * 60_000
const lost = () => Promise.reject(new TypeError('Failed to fetch'))
const never = () => new Promise<string[]>(() => {})
const of =
  (...days: string[]) =>
  () =>
    Promise.resolve(days)

let client: QueryClient

beforeEach(async () => {
  client = new QueryClient()
  await forgetCopies()
})
afterEach(() => {
  client.clear()
  vi.restoreAllMocks()
})

const scheduleQuery = (read: Read) =>
  queryOptions({ ...keptOnDevice<string[]>(), ...KEY, queryFn: read })
const read = (queryFn: Read) => client.fetchQuery(scheduleQuery(queryFn))
const shown = () => client.getQueryData<string[]>(KEY.queryKey)
function copyState() {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return renderHook(() => useCopyState(KEY), { wrapper }).result
}

/** A read that is pending until `respond` or `refuse` is called. */
function slow() {
  let respond = (_: string[]) => {}
  let refuse = (_: Error) => {}
  const response = new Promise<string[]>((resolve, reject) => {
    respond = resolve
    refuse = reject
  })
  return { read: () => response, respond, refuse }
}

test('what was read once is readable offline, with the time it was read', async () => {
  await read(of('Monday'))
  await vi.waitFor(async () => expect(await keptOf(KEY)).toEqual(['Monday']))
  client.clear()
  const before = Date.now()
  const state = copyState()
  expect(await read(lost)).toEqual(['Monday'])
  await vi.waitFor(() => expect(state.current.copiedAt).toBeLessThanOrEqual(before))
  expect(state.current.isAwaited).toBe(false)
})

test('what is read at once is stored and shown at once', async () => {
  const days = ['monday', 'tuesday', 'wednesday']
  const shownTogether = new Set<string>()
  client.getQueryCache().subscribe(() => {
    // Once everybody was told.
    setTimeout(() => shownTogether.add(days.filter((day) => client.getQueryData([day])).join(' ')))
  })
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
  await Promise.all(
    days.map((day) => client.fetchQuery({ ...scheduleQuery(of(day)), queryKey: [day] })),
  )
  await vi.waitFor(() => expect(shownTogether).toContain(days.join(' ')))
  expect([...shownTogether].sort()).toEqual(['', days.join(' ')])
  expect(transaction.mock.calls.filter(([, mode]) => mode === 'readwrite')).toHaveLength(1)
})

test('a copy is as old as its read, however it was changed on the device since', async () => {
  const readAt = Date.now() - HOUR_MS
  await keepFor(KEY, ['Monday'], readAt)
  const state = copyState()
  await read(lost)
  await vi.waitFor(() => expect(client.getQueryState(KEY.queryKey)?.dataUpdatedAt).toBe(readAt))
  client.setQueryData(KEY.queryKey, ['Monday', 'Tuesday'])
  await vi.waitFor(async () => expect(await keptOf(KEY)).toEqual(['Monday', 'Tuesday']), 3_000)
  expect(state.current.copiedAt).toBe(readAt)
})

test.each([
  [false, 'Connect to the internet to see it.'],
  [true, 'Try again in a moment.'],
])(
  'what was never read needs the server, and says what is missing (online: %s)',
  async (isOnline, text) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
    const reading = read(lost)
    await expect(reading).rejects.toThrow(NeedsConnection)
    await expect(reading).rejects.toThrow(text)
    await expect(reading).rejects.toMatchObject({ isOffline: !isOnline })
  },
)

test('offline, a server that neither responds nor fails is not waited for', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await expect(read(never)).rejects.toThrow(NeedsConnection)
  await keepFor(KEY, ['Monday'])
  const state = copyState()
  expect(await read(never)).toEqual(['Monday'])
  await vi.waitFor(() => expect(state.current.copiedAt).toBeDefined())
})

test('with a slow server the copy shows at once, and the response replaces it without a second request', async () => {
  await keepFor(KEY, ['Monday'])
  const { read: slowRead, respond } = slow()
  const ask = vi.fn(slowRead)
  const state = copyState()
  expect(await read(ask)).toEqual(['Monday'])
  await vi.waitFor(() => expect(state.current).toEqual({ isAwaited: true, copiedAt: undefined }))
  respond(['Tuesday'])
  await vi.waitFor(() => expect(shown()).toEqual(['Tuesday']))
  await vi.waitFor(() => expect(state.current).toEqual({ isAwaited: false, copiedAt: undefined }))
  expect(ask).toHaveBeenCalledOnce()
  await vi.waitFor(async () => expect(await keptOf(KEY)).toEqual(['Tuesday']))
})

test('a copy whose response takes long says its age', async () => {
  const readAt = Date.now() - HOUR_MS
  await keepFor(KEY, ['Monday'], readAt)
  const state = copyState()
  await read(never)
  expect(state.current.copiedAt).toBeUndefined()
  await vi.waitFor(
    () => expect(state.current).toEqual({ isAwaited: true, copiedAt: readAt }),
    7_000,
  )
})

test('what changed meanwhile is asked for again instead of taken from the older response', async () => {
  await keepFor(KEY, ['Monday'])
  const { read: slowRead, respond } = slow()
  const reads: Read[] = [slowRead, of('Wednesday')]
  const query = scheduleQuery(() => reads.shift()!())
  const stop = new QueryObserver(client, query).subscribe(() => {})
  await vi.waitFor(() => expect(shown()).toEqual(['Monday']))
  await vi.waitFor(() => expect(client.isFetching()).toBe(1))
  await client.invalidateQueries(KEY)
  respond(['Tuesday'])
  await vi.waitFor(async () => expect(await keptOf(KEY)).toEqual(['Wednesday']))
  expect(shown()).toEqual(['Wednesday'])
  stop()
})

test('a connection that is lost later leaves what is shown, with its age, until it is brought up to date', async () => {
  await read(of('Monday'))
  const state = copyState()
  await expect(client.fetchQuery(scheduleQuery(lost))).rejects.toThrow('Failed to fetch')
  expect(shown()).toEqual(['Monday'])
  await vi.waitFor(() => expect(state.current.copiedAt).toBeDefined())
  noteUpToDate(client, KEY.queryKey)
  await vi.waitFor(() => expect(state.current.copiedAt).toBeUndefined())
})

test.each([
  ['as a database error', { code: '42501' }],
  ['by its status', { status: 403 }],
])('a refusal %s is no reason to show a copy, and removes it', async (_, refusal) => {
  await keepFor(KEY, ['Monday'])
  const refused = Object.assign(new Error('permission denied'), refusal)
  await expect(read(() => Promise.reject(refused))).rejects.toThrow('permission denied')
  await vi.waitFor(async () => expect(await keptOf(KEY)).toBeUndefined())
})

test('a refusal that comes late takes the shown copy away', async () => {
  await keepFor(KEY, ['Monday'])
  const { read: slowRead, refuse } = slow()
  expect(await read(slowRead)).toEqual(['Monday'])
  await vi.waitFor(() => expect(client.isFetching()).toBe(1))
  refuse(Object.assign(new Error('permission denied'), { code: '42501' }))
  await vi.waitFor(() => expect(shown()).toBeUndefined())
  expect(client.getQueryState(KEY.queryKey)?.status).toBe('error')
  await vi.waitFor(async () => expect(await keptOf(KEY)).toBeUndefined())
})

test('an error of the server is no reason to show the copy, and leaves it', async () => {
  await keepFor(KEY, ['Monday'])
  await expect(read(() => Promise.reject(new Error('out of memory')))).rejects.toThrow('memory')
  expect(await keptOf(KEY)).toEqual(['Monday'])
})

test('the next member on the device finds no data of the one before', async () => {
  await read(of('Monday'))
  await forgetCopies()
  client.clear()
  await expect(read(lost)).rejects.toThrow()
})

test('a response that comes after signing out is not kept on the device', async () => {
  const { read: slowRead, respond } = slow()
  const reading = read(slowRead)
  await forgetCopies()
  respond(['Monday'])
  expect(await reading).toEqual(['Monday'])
  const next = { queryKey: ['next'] }
  await client.fetchQuery({ ...scheduleQuery(of('Monday')), ...next })
  for (const { queryKey } of [KEY, next]) client.setQueryData(queryKey, ['Tuesday'])
  await vi.waitFor(async () => expect(await keptOf(next)).toEqual(['Tuesday']))
  expect(await keptOf(KEY)).toBeUndefined()
})

test('what waits to be stored while the member signs out is not kept on the device', async () => {
  const stored = keepCopy(hashKey(KEY.queryKey), { data: ['Monday'], readAt: Date.now() })
  await forgetCopies()
  await stored
  expect(await keptOf(KEY)).toBeUndefined()
})

test('a read that fails after the data was brought up to date otherwise says nothing', async () => {
  await keepFor(KEY, ['Monday'])
  const { read: slowRead, refuse } = slow()
  const state = copyState()
  await read(slowRead)
  await vi.waitFor(() => expect(state.current.isAwaited).toBe(true))
  client.setQueryData(KEY.queryKey, ['Tuesday'])
  noteUpToDate(client, KEY.queryKey)
  refuse(new TypeError('Failed to fetch'))
  await vi.waitFor(() => expect(client.getQueryState(KEY.queryKey)?.status).toBe('error'))
  expect(state.current).toEqual({ isAwaited: false, copiedAt: undefined })
})

test('a fetch that was cancelled says nothing of what is shown', async () => {
  const readAt = Date.now() - HOUR_MS
  await keepFor(KEY, ['Monday'], readAt)
  const { read: slowRead, respond } = slow()
  const state = copyState()
  await read(slowRead)
  await vi.waitFor(() => expect(client.isFetching()).toBe(1))
  await client.cancelQueries(KEY)
  respond(['Tuesday'])
  await vi.waitFor(async () => expect(await keptOf(KEY)).toEqual(['Tuesday']))
  expect(shown()).toEqual(['Monday'])
  expect(state.current.isAwaited).toBe(true)
  expect(await read(of('Wednesday'))).toEqual(['Wednesday'])
  await vi.waitFor(() => expect(state.current.isAwaited).toBe(false))
})

test('of a list in pages, further pages are neither kept nor make the first one older', async () => {
  type Pages = InfiniteData<string[], number>
  const first = ({ pages, pageParams }: Pages) => ({
    pages: pages.slice(0, 1),
    pageParams: pageParams.slice(0, 1),
  })
  const pages = [of('Monday'), lost, of('Tuesday')]
  const query = infiniteQueryOptions({
    ...keptOnDevice<Pages>({ toKeep: first }),
    ...KEY,
    queryFn: () => pages.shift()!(),
    initialPageParam: 0,
    getNextPageParam: (_last, all) => all.length,
  })
  const observer = new InfiniteQueryObserver(client, query)
  const stop = observer.subscribe(() => {})
  const state = copyState()
  await vi.waitFor(() => expect(observer.getCurrentResult().hasNextPage).toBe(true))
  await observer.fetchNextPage()
  expect(observer.getCurrentResult().isFetchNextPageError).toBe(true)
  expect(state.current.copiedAt).toBeUndefined()
  await observer.fetchNextPage()
  expect(observer.getCurrentResult().data?.pages).toEqual([['Monday'], ['Tuesday']])
  expect(await keptOf(KEY)).toEqual({ pages: [['Monday']], pageParams: [0] })
  stop()
})

test('many names push no profile off the device', async () => {
  const own = { queryKey: ['users', 'own', 'maya'] }
  await keepFor(own, 'Maya', 1)
  for (let n = 0; n < 503; n++) await keepFor({ queryKey: ['users', 'member', n] }, n, 1_000 + n)
  await removeOldest()
  expect(await keptOf(own)).toBe('Maya')
  expect(await keptOf({ queryKey: ['users', 'member', 2] })).toBeUndefined()
})

test('copies are bounded: the threads read last, and nothing too long', async () => {
  const chat = (n: number) => ({ queryKey: ['chat_messages', n] })
  for (let n = 0; n < 53; n++) await keepFor(chat(n), [n], 1_000 + n)
  await removeOldest()
  const kept = await Promise.all([0, 2, 3, 52].map((n) => keptOf(chat(n))))
  expect(kept).toEqual([undefined, undefined, [3], [52]])
  await keepFor(KEY, 'short')
  await keepFor(KEY, 'x'.repeat(1_000_000))
  expect(await keptOf(KEY)).toBeUndefined()
})

test('copies are bounded: in all, what was read longest ago goes', async () => {
  const page = (n: number) => ({ queryKey: ['page', n] })
  for (let n = 0; n < 22; n++) await keepFor(page(n), 'x'.repeat(999_000), 1_000 + n)
  await removeOldest()
  const kept = await Promise.all([0, 1, 2, 21].map((n) => keptOf(page(n))))
  expect(kept.map(Boolean)).toEqual([false, false, true, true])
})
