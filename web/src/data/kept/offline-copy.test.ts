import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findKept, removeOldest } from './copy-store.ts'
import {
  forgetOfflineCopies,
  keepOfflineCopy,
  NeedsConnection,
  readCopyFirst,
  readWithOfflineCopy,
} from './offline-copy.ts'

const offline = () => Promise.reject(new TypeError('Failed to fetch'))

beforeEach(() => forgetOfflineCopies())
afterEach(() => void vi.restoreAllMocks())

test('what was read once is readable offline, with the time it was read', async () => {
  const first = await readWithOfflineCopy('schedule', () => Promise.resolve(['Monday']))
  expect(first).toMatchObject({ data: ['Monday'], isCopy: false })
  const copy = await readWithOfflineCopy<string[]>('schedule', offline)
  expect(copy).toEqual({ data: ['Monday'], isCopy: true, readAt: first.readAt })
})

test.each([
  [false, 'Connect to the internet to see it.'],
  [true, 'Try again in a moment.'],
])(
  'what was never read needs the server, and says what is missing (online: %s)',
  async (isOnline, text) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
    const reading = readWithOfflineCopy('schedule', offline)
    await expect(reading).rejects.toThrow(NeedsConnection)
    await expect(reading).rejects.toThrow(text)
    await expect(reading).rejects.toMatchObject({ isOffline: !isOnline })
  },
)

test('with a copy, a server that neither responds nor fails is not waited for', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const never = () => new Promise<string[]>(() => {})
  await expect(readWithOfflineCopy('schedule', never)).rejects.toThrow(NeedsConnection)
  await readWithOfflineCopy('schedule', () => Promise.resolve(['Monday']))
  expect(await readWithOfflineCopy('schedule', never)).toMatchObject({ isCopy: true })
})

test('a server refusal is not answered from the copy', async () => {
  await readWithOfflineCopy('schedule', () => Promise.resolve(['Monday']))
  const refused = () => Promise.reject(new Error('permission denied'))
  await expect(readWithOfflineCopy('schedule', refused)).rejects.toThrow('permission denied')
})

test('the next member on the device finds no data of the one before', async () => {
  await readWithOfflineCopy('schedule', () => Promise.resolve(['Monday']))
  await forgetOfflineCopies()
  await expect(readWithOfflineCopy('schedule', offline)).rejects.toThrow()
})

test('with a slow server the copy shows at once, and its answer replaces it', async () => {
  await readCopyFirst('schedule', () => Promise.resolve(['Monday']))
  let answer = (_: string[]) => {}
  const slow = () => new Promise<string[]>((resolve) => (answer = resolve))
  const shown = await readCopyFirst('schedule', slow)
  expect(shown).toMatchObject({ data: ['Monday'], isCopy: false, isAwaited: true })
  const next = readCopyFirst('schedule', () => Promise.reject(new Error('asked twice')))
  answer(['Tuesday'])
  expect(await next).toMatchObject({ data: ['Tuesday'], isCopy: false })
  expect((await next).isAwaited).toBeUndefined()
})

test('a change made meanwhile asks again instead of waiting for the older answer', async () => {
  await readCopyFirst('schedule', () => Promise.resolve(['Monday']))
  await readCopyFirst('schedule', () => new Promise<string[]>(() => {}))
  const next = await readCopyFirst('schedule', () => Promise.resolve(['Tuesday']), true)
  expect(next).toMatchObject({ data: ['Tuesday'], isCopy: false })
})

test('an answer that comes after signing out is not kept on the device', async () => {
  let answer = (_: string[]) => {}
  const reading = readWithOfflineCopy(
    'schedule',
    () => new Promise<string[]>((resolve) => (answer = resolve)),
  )
  await forgetOfflineCopies()
  answer(['Monday'])
  expect((await reading).data).toEqual(['Monday'])
  expect(await findKept('schedule')).toBeUndefined()
})

test('copies are bounded: the threads read last, and nothing too long', async () => {
  const clock = vi.spyOn(Date, 'now')
  for (let n = 0; n < 53; n++) {
    clock.mockReturnValue(1_000 + n)
    await keepOfflineCopy(`thread maya ${n}`, [n])
  }
  await removeOldest()
  const kept = await Promise.all([0, 2, 3, 52].map((n) => findKept(`thread maya ${n}`)))
  expect(kept.map((each) => each?.data)).toEqual([undefined, undefined, [3], [52]])
  await keepOfflineCopy('schedule', 'short')
  await keepOfflineCopy('schedule', 'x'.repeat(1_000_000))
  expect(await findKept('schedule')).toBeUndefined()
})

test('copies are bounded: in all, what was read longest ago goes', async () => {
  const clock = vi.spyOn(Date, 'now')
  for (let n = 0; n < 22; n++) {
    clock.mockReturnValue(1_000 + n)
    await keepOfflineCopy(`page ${n}`, 'x'.repeat(999_000))
  }
  await removeOldest()
  const kept = await Promise.all([0, 1, 2, 21].map((n) => findKept(`page ${n}`)))
  expect(kept.map(Boolean)).toEqual([false, false, true, true])
})
