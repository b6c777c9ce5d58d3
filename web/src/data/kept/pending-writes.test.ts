import { beforeEach, expect, test, vi } from 'vitest'
import { signedIn } from '../../../testing/fake-backend.ts'
import {
  countPendingChanges,
  forgetPendingChanges,
  pendingChanges,
  sendPendingChanges,
  writesLater,
  writeSoon,
} from './pending-writes.ts'

const writer = { write: vi.fn(), onSettled: vi.fn(), onRefused: vi.fn() }
writesLater<string>('note', writer)
const note = (id: string, values: string) => writeSoon('maya', { id, kind: 'note', values })
const offline = () => Promise.reject(new TypeError('Failed to fetch'))

beforeEach(() => {
  vi.resetAllMocks()
  return signedIn()
})

test('a change made offline waits on the device, and is written once the server responds', async () => {
  writer.write.mockImplementationOnce(offline)
  await note('a', 'one')
  expect(pendingChanges('maya', 'note')).toEqual(['one'])
  expect(writer.onRefused).not.toHaveBeenCalled()
  await sendPendingChanges('maya')
  expect(writer.write).toHaveBeenLastCalledWith('one', 'maya')
  expect(countPendingChanges('maya')).toBe(0)
  expect(writer.onSettled).toHaveBeenCalledOnce()
})

test('the last change of one thing replaces the one that waits; others keep their order', async () => {
  writer.write.mockImplementation(offline)
  await note('a', 'on')
  await note('b', 'other')
  await note('a', 'off')
  writer.write.mockReset()
  await sendPendingChanges('maya')
  expect(writer.write.mock.calls.map(([values]) => values as string)).toEqual(['other', 'off'])
})

test('what changes again while it is being written is written again', async () => {
  writer.write.mockImplementationOnce(async () => void note('a', 'off'))
  await note('a', 'on')
  expect(writer.write.mock.calls.map(([values]) => values as string)).toEqual(['on', 'off'])
  expect(countPendingChanges('maya')).toBe(0)
})

test('a refusal is said, and does not hold up the next change', async () => {
  writer.write.mockRejectedValueOnce(new Error('No'))
  await note('a', 'one')
  await note('b', 'two')
  expect(writer.onRefused).toHaveBeenCalledExactlyOnceWith(new Error('No'))
  expect(countPendingChanges('maya')).toBe(0)
})

test('logging out forgets what waits; another member sees none of it', async () => {
  writer.write.mockImplementation(offline)
  await note('a', 'one')
  expect(countPendingChanges('noah')).toBe(0)
  forgetPendingChanges('maya')
  expect(countPendingChanges('maya')).toBe(0)
})
