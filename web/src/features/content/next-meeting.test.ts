// @vitest-environment node
import { expect, test } from 'vitest'
import { nextMeeting, nextOccurrence } from './next-meeting.ts'
import { sortMeetings } from './meeting.ts'
import { aMeeting } from './testing/a-meeting.ts'

const ZONE = 'America/New_York'
// Monday, November 23, 2026, 17:00 in New York
const MONDAY_5_PM = Date.UTC(2026, 10, 23, 22)

test('the schedule is sorted by weekday, then sort order, then start time', () => {
  const sorted = sortMeetings([
    aMeeting({ id: 'sunday', day_of_week: 'Sunday' }),
    aMeeting({ id: 'late', day_of_week: 'Tuesday', start_time: '18:00:00' }),
    aMeeting({ id: 'early', day_of_week: 'Tuesday', start_time: '09:00:00' }),
    aMeeting({ id: 'last', day_of_week: 'Tuesday', sort_order: 1, start_time: '07:00:00' }),
    aMeeting({ id: 'monday', day_of_week: 'Monday' }),
  ])
  expect(sorted.map(({ id }) => id)).toEqual(['monday', 'early', 'late', 'last', 'sunday'])
})

test('a meeting later today is the next one', () => {
  const next = nextOccurrence(aMeeting(), ZONE, MONDAY_5_PM)
  expect(new Date(next.start).toISOString()).toBe('2026-11-24T00:00:00.000Z')
  expect(next.isNow).toBe(false)
})

test("a running meeting is highlighted until it ends, then next week's", () => {
  const meeting = aMeeting()
  const start = nextOccurrence(meeting, ZONE, MONDAY_5_PM).start
  expect(nextOccurrence(meeting, ZONE, start)).toMatchObject({ start, isNow: true })
  const end = start + 90 * 60_000
  expect(nextOccurrence(meeting, ZONE, end - 1)).toMatchObject({ start, isNow: true })
  expect(nextOccurrence(meeting, ZONE, end)).toMatchObject({
    start: start + 7 * 24 * 3_600_000,
    isNow: false,
  })
})

test("the weekday is the team's, even if the viewer is already in the next day", () => {
  // 23:30 on Monday in New York is Tuesday in UTC and in Tokyo.
  const now = Date.UTC(2026, 10, 24, 4, 30)
  const meeting = aMeeting({ start_time: '23:00:00', end_time: '23:45:00' })
  expect(nextOccurrence(meeting, ZONE, now).isNow).toBe(true)
})

test('a meeting keeps its wall time across a clock change', () => {
  // The Saturday before clocks go back on November 1, 2026
  const now = Date.UTC(2026, 9, 31, 16)
  const next = nextOccurrence(aMeeting(), ZONE, now)
  expect(new Date(next.start).toISOString()).toBe('2026-11-03T00:00:00.000Z')
})

test('of several meetings the one that starts first is next', () => {
  const meetings = [
    aMeeting({ id: 'sunday', day_of_week: 'Sunday' }),
    aMeeting({ id: 'tuesday', day_of_week: 'Tuesday' }),
  ]
  expect(nextMeeting(meetings, ZONE, MONDAY_5_PM)?.meeting.id).toBe('tuesday')
  expect(nextMeeting([], ZONE, MONDAY_5_PM)).toBeUndefined()
})
