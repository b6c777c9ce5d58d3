// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BUSY_MINIMUM_MS, withMinimumBusyTime } from './use-sending-form.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const after = (ms: number, result: string) =>
  new Promise<string>((resolve) => setTimeout(() => resolve(result), ms))

async function finishedAt(work: () => Promise<unknown>) {
  const started = Date.now()
  let finished: number | undefined
  const note = () => (finished = Date.now() - started)
  void withMinimumBusyTime(work).then(note, note)
  await vi.advanceTimersByTimeAsync(10_000)
  return finished
}

test('a quick response is shown after the minimum time', async () => {
  expect(BUSY_MINIMUM_MS).toBe(3000)
  expect(await finishedAt(() => after(200, 'ok'))).toBe(3000)
})

test('a slow response is shown when it arrives', async () => {
  expect(await finishedAt(() => after(4200, 'ok'))).toBe(4200)
})

test('a thrown error ends the busy state at once', async () => {
  const work = () => after(200, 'x').then(() => Promise.reject(new Error('boom')))
  expect(await finishedAt(work)).toBe(200)
})
