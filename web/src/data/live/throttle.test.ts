// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first call runs at once, a burst after it runs once more', () => {
  const work = vi.fn()
  const call = throttle(work, 1000)
  for (let n = 0; n < 10; n++) call()
  expect(work).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)
  expect(work).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(5000)
  expect(work).toHaveBeenCalledTimes(2)
})

test('calls far apart all run at once', () => {
  const work = vi.fn()
  const call = throttle(work, 1000)
  call()
  vi.advanceTimersByTime(1500)
  call()
  expect(work).toHaveBeenCalledTimes(2)
})
