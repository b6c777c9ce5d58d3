import { m } from '#lib/messages/messages.js'
import { minutesOf, type Meeting } from './meeting.ts'
import { nextOccurrence } from './next-meeting.ts'
import { timeZoneBlock } from './calendar-time-zone.ts'
import { foldLine, localTime, textValue, utcTime } from './calendar-text.ts'
import { dayCode } from './time-zone-rules.ts'
import { wallClock } from './zoned-time.ts'

/**
 * A weekly meeting as an iCalendar file (RFC 5545). The event carries the team's zone, not UTC: seven
 * o'clock must stay seven o'clock when the clocks change.
 */
export function calendarFile(meeting: Meeting, zone: string, now: number): string {
  const day = wallClock(nextOccurrence(meeting, zone, now).start, zone)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Team schedule//EN',
    'CALSCALE:GREGORIAN',
    ...timeZoneBlock(zone, day.year),
    'BEGIN:VEVENT',
    `UID:${meeting.id}@schedule`,
    `DTSTAMP:${utcTime(now)}`,
    `DTSTART;TZID=${zone}:${localTime(day, minutesOf(meeting.start_time))}`,
    `DTEND;TZID=${zone}:${localTime(day, minutesOf(meeting.end_time))}`,
    `RRULE:FREQ=WEEKLY;BYDAY=${dayCode(day)}`,
    `SUMMARY:${textValue(meeting.title)}`,
    ...optionalLines(meeting),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}

/** `team-training-night.ics` */
export function calendarFileName(meeting: Meeting): string {
  const plain = meeting.title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/[a-z0-9]+/g) ?? []
  return `${words.slice(0, 8).join('-') || 'meeting'}.ics`
}

function optionalLines({ description, url, meeting_id, meeting_password }: Meeting): string[] {
  const details = [
    description,
    url,
    meeting_id && `${m.content_meeting_id()}: ${meeting_id}`,
    meeting_password && `${m.content_password()}: ${meeting_password}`,
  ].filter(Boolean)
  return [
    ...(details.length > 0 ? [`DESCRIPTION:${textValue(details.join('\n'))}`] : []),
    ...(url ? [`LOCATION:${textValue(url)}`] : []),
  ]
}
