import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { setLocale } from '#lib/messages/runtime.js'
import { calendarFile } from './calendar-file.ts'
import { aMeeting } from './testing/a-meeting.ts'
import { momentOf } from './zoned-time.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const ZONE = 'America/New_York'

function parse(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  const zone = calendar.getFirstSubcomponent('vtimezone')
  if (zone) ICAL.TimezoneService.register(new ICAL.Timezone(zone))
  return { calendar, event: new ICAL.Event(calendar.getFirstSubcomponent('vevent')!) }
}

function starts(text: string, count: number): Date[] {
  const occurrences = parse(text).event.iterator()
  return Array.from({ length: count }, () => occurrences.next().toJSDate())
}

test('a meeting becomes an event on its next weekday, repeated weekly', () => {
  const { event } = parse(calendarFile(aMeeting({ day_of_week: 'Monday' }), ZONE, NOW))
  expect(event.summary).toBe('Team Training Night')
  expect(event.startDate.toJSDate().toISOString()).toBe('2026-11-24T00:00:00.000Z')
  expect(event.duration.toSeconds()).toBe(90 * 60)
  expect(event.isRecurring()).toBe(true)
  expect(event.getRecurrenceTypes()).toEqual({ WEEKLY: true })
})

test('the meeting stays at the same wall time when the clocks change', () => {
  const text = calendarFile(aMeeting({ day_of_week: 'Monday' }), ZONE, NOW)
  const expected = Array.from({ length: 60 }, (_, week) => {
    const date = new Date(Date.UTC(2026, 10, 23 + week * 7))
    return momentOf(
      { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
      19 * 60,
      ZONE,
    )
  })
  expect(starts(text, 60).map(Number)).toEqual(expected)
})

test.each([
  'Europe/Berlin',
  'Australia/Sydney',
  'America/Phoenix',
  'Asia/Kolkata',
  'America/Santiago',
])('the wall time also holds for a team in %s', (zone) => {
  const text = calendarFile(aMeeting({ day_of_week: 'Saturday' }), zone, NOW)
  for (const start of starts(text, 110)) {
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
    }).format(start)
    expect(clock).toBe('Saturday 19:00')
  }
})

test('link, meeting id, password and description are in the event', () => {
  const { event } = parse(
    calendarFile(
      aMeeting({
        url: 'https://zoom.us/j/123',
        meeting_id: '123 456',
        meeting_password: 'semi;colon, comma\\',
        description: 'First line\nSecond line',
      }),
      ZONE,
      NOW,
    ),
  )
  expect(event.location).toBe('https://zoom.us/j/123')
  expect(event.description).toContain('First line\nSecond line')
  expect(event.description).toContain('123 456')
  expect(event.description).toContain('semi;colon, comma\\')
})

test('lines end with CRLF, none is longer than 75 bytes, and no character is split', () => {
  const text = calendarFile(aMeeting({ title: 'Reunión 🎉 '.repeat(30) }), ZONE, NOW)
  const lines = text.split('\r\n')
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  for (const line of lines) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(parse(text).event.summary).toBe('Reunión 🎉 '.repeat(30))
})

test('a title cannot inject lines into the file', () => {
  const { calendar } = parse(
    calendarFile(aMeeting({ title: 'A\r\nEND:VEVENT\r\nBEGIN:VEVENT' }), ZONE, NOW),
  )
  expect(calendar.getAllSubcomponents('vevent')).toHaveLength(1)
})

test("the details are in the member's language", () => {
  const meeting = aMeeting({ meeting_id: '845 111 222', meeting_password: 'rise' })
  const details = () => parse(calendarFile(meeting, ZONE, NOW)).event.description
  expect(details()).toBe('Meeting ID: 845 111 222\nPassword: rise')
  void setLocale('es', { reload: false })
  expect(details()).toBe('ID de reunión: 845 111 222\nContraseña: rise')
  void setLocale('en', { reload: false })
})
