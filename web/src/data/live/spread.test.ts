// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSpread } from './spread.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('three thousand phones that hear of a change at once ask evenly over the time they are given', () => {
  const asked: number[] = []
  const start = Date.now()
  for (let phone = 0; phone < 3000; phone++)
    createSpread(() => asked.push(Date.now() - start)).later('team_notices', 20_000)
  vi.advanceTimersByTime(20_000)
  expect(asked).toHaveLength(3000)
  const bySecond = Array.from(
    { length: 20 },
    (_, second) => asked.filter((at) => Math.floor(at / 1000) === second).length,
  )
  // 150 on average: twelve standard deviations of chance do not reach 300.
  expect(Math.max(...bySecond)).toBeLessThan(300)
})

test('without a time, and with none that makes sense, it is done at once', () => {
  const done: string[] = []
  const spread = createSpread((name) => done.push(name))
  for (const given of [undefined, 0, -5, '9000', Number.NaN]) spread.later('users', given)
  expect(done).toHaveLength(5)
})

test('several changes of one table are read together, other tables by themselves', () => {
  const done: string[] = []
  const spread = createSpread(
    (name) => done.push(name),
    () => 0.5,
  )
  spread.later('users', 1000)
  vi.advanceTimersByTime(499)
  spread.later('users', 1000)
  spread.later('team_notices', 1000)
  expect(done).toEqual([])
  vi.advanceTimersByTime(1)
  expect(done).toEqual(['users'])
  vi.advanceTimersByTime(499)
  expect(done).toEqual(['users', 'team_notices'])
  spread.later('users', 1000)
  vi.advanceTimersByTime(500)
  expect(done).toEqual(['users', 'team_notices', 'users'])
})

test('nobody waits for more than half a minute, and nothing is done after the end', () => {
  const done: string[] = []
  const spread = createSpread(
    (name) => done.push(name),
    () => 0.999,
  )
  spread.later('users', 3_600_000)
  vi.advanceTimersByTime(30_000)
  expect(done).toEqual(['users'])
  spread.later('users', 1000)
  spread.end()
  vi.advanceTimersByTime(60_000)
  expect(done).toEqual(['users'])
})
