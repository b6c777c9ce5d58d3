import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { forgetOfflineCopies, readWithOfflineCopy } from './offline-copy.ts'

const offline = () => Promise.reject(new TypeError('Failed to fetch'))

beforeEach(() => forgetOfflineCopies())

test('what was read once is readable without a connection, with the time it was read', async () => {
  const first = await readWithOfflineCopy('schedule', () => Promise.resolve(['Monday']))
  expect(first).toMatchObject({ data: ['Monday'], isCopy: false })
  const copy = await readWithOfflineCopy<string[]>('schedule', offline)
  expect(copy).toEqual({ data: ['Monday'], isCopy: true, readAt: first.readAt })
})

test('what was never read cannot be', async () => {
  await expect(readWithOfflineCopy('schedule', offline)).rejects.toThrow('Failed to fetch')
})

test('a refusal by the server is not answered from the copy', async () => {
  await readWithOfflineCopy('schedule', () => Promise.resolve(['Monday']))
  const refused = () => Promise.reject(new Error('permission denied'))
  await expect(readWithOfflineCopy('schedule', refused)).rejects.toThrow('permission denied')
})

test('the next member on the device finds nothing of the one before', async () => {
  await readWithOfflineCopy('schedule', () => Promise.resolve(['Monday']))
  await forgetOfflineCopies()
  await expect(readWithOfflineCopy('schedule', offline)).rejects.toThrow()
})
