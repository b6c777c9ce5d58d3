import { expect, test } from 'vitest'
import { lastDue } from './last-due.ts'

test.each([
  ['2026-03-05T03:00:00', '2026-03-05T03:00:00'],
  ['2026-03-05T02:59:59', '2026-03-04T03:00:00'],
  ['2026-03-05T23:00:00', '2026-03-05T03:00:00'],
  ['2026-03-01T00:00:00', '2026-02-28T03:00:00'],
])('at %s the latest due time of 03:00 is %s', (now, due) => {
  expect(lastDue(new Date(now), '03:00')).toEqual(new Date(due))
})
