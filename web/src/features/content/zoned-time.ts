/** Wall time in a named zone without a date library: Intl knows every zone the browser knows. */
export type WallDate = { year: number; month: number; day: number }

const MINUTE_MS = 60_000

/** The calendar day and minutes after midnight in this zone. */
export function wallClock(moment: number, zone: string): WallDate & { minutes: number } {
  const parts = formatterOf(zone).formatToParts(moment)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value ?? 0)
  const minutes = part('hour') * 60 + part('minute')
  return { year: part('year'), month: part('month'), day: part('day'), minutes }
}

/** The moment at which clocks in this zone show this day and time. */
export function momentOf(date: WallDate, minutes: number, zone: string): number {
  const asIfUtc = Date.UTC(date.year, date.month - 1, date.day, 0, minutes)
  const firstTry = asIfUtc - offsetMinutes(asIfUtc, zone) * MINUTE_MS
  // Near a clock change the first offset may be from the other side of it.
  return asIfUtc - offsetMinutes(firstTry, zone) * MINUTE_MS
}

/** The zone's offset from UTC at a moment. */
export function offsetMinutes(moment: number, zone: string): number {
  const wall = wallClock(moment, zone)
  const asIfUtc = Date.UTC(wall.year, wall.month - 1, wall.day, 0, wall.minutes)
  return Math.round((asIfUtc - moment) / MINUTE_MS)
}

export function addDays(date: WallDate, days: number): WallDate {
  const moved = new Date(Date.UTC(date.year, date.month - 1, date.day + days))
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() }
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayIndex(date: WallDate): number {
  return (new Date(Date.UTC(date.year, date.month - 1, date.day)).getUTCDay() + 6) % 7
}

const formatters = new Map<string, Intl.DateTimeFormat>()

// Creating a formatter is far more expensive than using it, and a schedule needs the same zone again and
// again.
function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formatters.set(zone, formatter)
  return formatter
}
