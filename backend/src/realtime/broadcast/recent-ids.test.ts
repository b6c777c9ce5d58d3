import { expect, test } from 'vitest'
import { createRecentIds } from './recent-ids.ts'
import { countWithin, newRateWindow } from '#http/rate-window.ts'

test('an id is new only once, even after a long pause', () => {
  let now = 0
  const recent = createRecentIds(1000, () => now)
  expect(recent.isNew('a')).toBe(true)
  expect(recent.isNew('a')).toBe(false)
  now = 100_000
  expect(recent.isNew('a')).toBe(false)
})

test('old ids are eventually dropped, so memory is bounded', () => {
  let now = 0
  const recent = createRecentIds(1000, () => now)
  recent.isNew('a')
  for (const each of ['b', 'c', 'd']) {
    now += 1000
    recent.isNew(each)
  }
  expect(recent.isNew('a')).toBe(true)
})

test('a rate limit counts per window', () => {
  const window = newRateWindow()
  const rate = { limit: 2, windowMs: 1000 }
  expect([0, 1, 2, 1000].map((now) => countWithin(window, now, rate))).toEqual([
    true,
    true,
    false,
    true,
  ])
})
