import { expect, test } from 'vitest'
import { timeSince } from './time-since.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const MINUTE = 60_000

test.each([
  [0, 'just now'],
  [-2 * MINUTE, 'just now'],
  [5 * MINUTE, '5 minutes ago'],
  [59 * MINUTE, '59 minutes ago'],
  [3 * 60 * MINUTE, '3 hours ago'],
  [72 * 60 * MINUTE, '3 days ago'],
])('what was read %i ms ago is from %s', (age, words) => {
  expect(timeSince(NOW - age, NOW)).toBe(words)
})
