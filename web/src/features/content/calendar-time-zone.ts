import { localTime, utcOffset } from './calendar-text.ts'
import { clockChanges, yearlyRule, type ClockChange } from './time-zone-rules.ts'
import { offsetMinutes } from './zoned-time.ts'

const YEARS_COMPARED = 5
const YEARS_LISTED = 10

/**
 * The VTIMEZONE every TZID needs. A yearly rule is written as a rule (which Outlook prefers); zones without
 * one, such as Chile, get each change of the coming years listed.
 */
export function timeZoneBlock(zone: string, year: number): string[] {
  const years = Array.from({ length: YEARS_LISTED + 1 }, (_, index) =>
    clockChanges(zone, year - 1 + index),
  )
  const parts = byRule(years.slice(0, YEARS_COMPARED)) ?? byList(years.flat())
  const body = parts.length > 0 ? parts : [unchanging(zone, year)]
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...body.flat(), 'END:VTIMEZONE']
}

function byRule(years: ClockChange[][]): string[][] | undefined {
  const first = years[0]!
  if (!years.every((changes) => changes.length === first.length)) return undefined
  const rules = first.map((_, index) => yearlyRule(years.map((changes) => changes[index]!)))
  if (rules.includes(undefined)) return undefined
  return first.map((change, index) => observance(change, [`RRULE:${rules[index]}`]))
}

function byList(changes: ClockChange[]): string[][] {
  return changes.map((change) => observance(change, []))
}

function observance(change: ClockChange, rule: string[]): string[] {
  // Daylight time has the larger offset; calendars only display the name.
  const name = change.to > change.from ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${name}`,
    `DTSTART:${localTime(change.date, change.minutes)}`,
    `TZOFFSETFROM:${utcOffset(change.from)}`,
    `TZOFFSETTO:${utcOffset(change.to)}`,
    ...rule,
    `END:${name}`,
  ]
}

function unchanging(zone: string, year: number): string[] {
  const offset = utcOffset(offsetMinutes(Date.UTC(year, 0, 1), zone))
  return [
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
    'END:STANDARD',
  ]
}
