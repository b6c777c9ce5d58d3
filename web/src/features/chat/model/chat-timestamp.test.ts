import { expect, test } from 'vitest'
import { formatChatTimestamp, formatFullTime } from './chat-timestamp.ts'

const NOW = Date.parse('2026-11-20T17:00:00Z')
const HOUR_MS = 3_600_000

function shown(ageMs: number, locale = 'en', timeZone = 'America/New_York') {
  return formatChatTimestamp(new Date(NOW - ageMs).toISOString(), NOW, locale, timeZone)
}

test('a message of the last 24 hours shows the time of day', () => {
  expect(shown(2.5 * HOUR_MS)).toBe('9:30 AM')
  expect(shown(24 * HOUR_MS - 1)).toBe('12:00 PM')
})

test('from exactly 24 hours a message shows the weekday', () => {
  expect(shown(24 * HOUR_MS)).toBe('Thu')
  expect(shown(168 * HOUR_MS - 1)).toBe('Fri')
})

test('from exactly 168 hours a message shows month and day', () => {
  expect(shown(168 * HOUR_MS)).toBe('Nov 13')
  expect(shown(24 * 40 * HOUR_MS)).toBe('Oct 11')
})

test('a message from the future shows the time of day', () => {
  expect(shown(-48 * HOUR_MS)).toBe('12:00 PM')
})

test("times are in the viewer's time zone and language", () => {
  expect(shown(2.5 * HOUR_MS, 'en', 'America/Los_Angeles')).toBe('6:30 AM')
  expect(shown(24 * HOUR_MS, 'es')).toBe('jue')
})

test('the full time includes weekday, date and time', () => {
  expect(formatFullTime('2026-11-20T17:00:00Z', 'en', 'UTC')).toBe(
    'Friday, November 20, 2026 at 5:00 PM',
  )
})
