import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseBusyError, RequestAbortedError } from './errors.ts'
import { LIMITS } from './limits.ts'
import { FairGate, WaitingLine } from './waiting-line.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const requester = (key: string, signal?: AbortSignal) => ({ key, isAnonymous: false, signal })

test('callers take turns, however many requests each has', async () => {
  const line = new WaitingLine()
  const order: string[] = []
  const wait = (key: string, name: string) => line.wait(requester(key)).then(() => order.push(name))
  const all = [wait('a', 'a1'), wait('a', 'a2'), wait('a', 'a3'), wait('b', 'b1'), wait('c', 'c1')]
  line.admitWith(
    () => true,
    () => true,
  )
  await Promise.all(all)
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
})

test('no request waits longer than the limit', async () => {
  const line = new WaitingLine()
  const refused = expect(line.wait(requester('a'))).rejects.toThrow(DatabaseBusyError)
  await vi.advanceTimersByTimeAsync(LIMITS.waitMs + 100)
  await refused
  expect(vi.getTimerCount()).toBe(0)
})

test('a client that disconnects makes room for the next in line', async () => {
  const gate = new FairGate(1, 1)
  const leave = await gate.enter(requester('a'))
  const gone = new AbortController()
  const second = expect(gate.enter(requester('b', gone.signal))).rejects.toThrow(
    RequestAbortedError,
  )
  const third = gate.enter(requester('c'))
  gone.abort()
  await second
  leave()
  await expect(third).resolves.toBeTypeOf('function')
})
