import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  forgetOfflineCopies,
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

test('what was never read needs a connection, and says so', async () => {
  await expect(readWithOfflineCopy('schedule', offline)).rejects.toThrow(NeedsConnection)
  await expect(readWithOfflineCopy('schedule', offline)).rejects.toThrow('Connect to the internet')
})

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
