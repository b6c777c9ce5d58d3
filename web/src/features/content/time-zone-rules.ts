import { addDays, offsetMinutes, wallClock, type WallDate } from './zoned-time.ts'

/** A clock change: from which offset to which, at which wall time (in the old offset). */
export type ClockChange = { from: number; to: number; date: WallDate; minutes: number }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Every clock change of a zone in a UTC year, found by search because Intl doesn't list them. */
export function clockChanges(zone: string, year: number): ClockChange[] {
  const changes: ClockChange[] = []
  const end = Date.UTC(year + 1, 0, 1)
  for (let moment = Date.UTC(year, 0, 1); moment < end; moment += DAY_MS) {
    const from = offsetMinutes(moment, zone)
    const to = offsetMinutes(moment + DAY_MS, zone)
    if (from === to) continue
    const exact = firstMomentWith(to, moment, moment + DAY_MS, zone)
    const wall = wallClock(exact + from * 60_000, 'UTC')
    changes.push({ from, to, date: wall, minutes: wall.minutes })
  }
  return changes
}

/**
 * "Second Sunday of March" or "last Sunday of October" as an iCalendar rule, if the given changes (the same
 * one of consecutive years) follow one.
 */
export function yearlyRule(changes: ClockChange[]): string | undefined {
  const first = changes[0]
  if (!first || !changes.every((each) => isSameBut(each, first))) return undefined
  const nth = changes.map(({ date }) => Math.ceil(date.day / 7))
  const isLast = changes.every(({ date }) => addDays(date, 7).month !== date.month)
  if (!isLast && !nth.every((each) => each === nth[0])) return undefined
  const position = isLast ? -1 : nth[0]
  return `FREQ=YEARLY;BYMONTH=${first.date.month};BYDAY=${position}${dayCode(first.date)}`
}

export function dayCode(date: WallDate): string {
  const day = new Date(Date.UTC(date.year, date.month - 1, date.day)).getUTCDay()
  return ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][day]!
}

function isSameBut(a: ClockChange, b: ClockChange): boolean {
  return (
    a.from === b.from &&
    a.to === b.to &&
    a.minutes === b.minutes &&
    a.date.month === b.date.month &&
    dayCode(a.date) === dayCode(b.date)
  )
}

function firstMomentWith(offset: number, before: number, after: number, zone: string): number {
  while (after - before > 60_000) {
    const middle = before + Math.floor((after - before) / 120_000) * 60_000
    if (offsetMinutes(middle, zone) === offset) after = middle
    else before = middle
  }
  return after
}
