import { beforeEach, expect, test } from 'vitest'
import { isNewSince, markSeen, readSeen, startSeeing } from './seen-content.ts'

const FIRST = '2026-11-01T09:00:00Z'
const LATER = '2026-11-05T09:00:00Z'

beforeEach(() => localStorage.clear())

test('on the first visit nothing is new', () => {
  expect(isNewSince(LATER, readSeen('maya')['Investments'])).toBe(false)
})

test('what was added or changed since the last visit is new, for each member and category', () => {
  startSeeing('maya', ['Investments', 'First appointment'], FIRST)
  startSeeing('maya', ['Investments'], LATER)
  expect(isNewSince('2026-11-02T09:00:00Z', readSeen('maya')['Investments'])).toBe(true)
  markSeen('maya', 'Investments', LATER)
  expect(isNewSince('2026-11-02T09:00:00Z', readSeen('maya')['Investments'])).toBe(false)
  expect(isNewSince('2026-11-02T09:00:00Z', readSeen('maya')['First appointment'])).toBe(true)
  expect(readSeen('theo')).toEqual({})
})
