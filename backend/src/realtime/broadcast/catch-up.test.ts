import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCatchUp } from './catch-up.ts'

const onError = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  onError.mockClear()
})
afterEach(() => vi.useRealTimers())

test('a failed read is retried from the same time until it succeeds', async () => {
  const read = vi.fn().mockRejectedValueOnce(new Error('starting up')).mockResolvedValue(undefined)
  createCatchUp(read, onError).missedSince(1_000)
  await vi.runAllTimersAsync()
  expect(read.mock.calls).toEqual([[1_000], [1_000]])
})

test('a second connection loss during a read causes another read, from the earlier time', async () => {
  let finish = () => {}
  const reading = new Promise<void>((resolve) => (finish = resolve))
  const read = vi.fn().mockReturnValueOnce(reading).mockResolvedValue(undefined)
  const catchUp = createCatchUp(read, onError)
  catchUp.missedSince(1_000)
  catchUp.missedSince(5_000)
  finish()
  await vi.waitFor(() => expect(read.mock.calls).toEqual([[1_000], [1_000]]))
})

test('nothing is read after stop', async () => {
  let fail = () => {}
  const reading = new Promise<void>((_, reject) => (fail = () => reject(new Error('closed'))))
  const read = vi.fn().mockReturnValue(reading)
  const catchUp = createCatchUp(read, onError)
  catchUp.missedSince(1_000)
  catchUp.stop()
  fail()
  await vi.waitFor(() => expect(onError).toHaveBeenCalled())
  await vi.runAllTimersAsync()
  expect(read).toHaveBeenCalledOnce()
})
