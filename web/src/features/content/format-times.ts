import { formatClockTime } from '#domain/clock-time.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'

const MINUTE_MS = 60_000

/** "7:00 PM – 8:30 PM" in the given zone. */
export function timeRange(start: number, end: number, zone: string): string {
  return `${formatClockTime(start, zone)} – ${formatClockTime(end, zone)}`
}

/** The weekday of a moment in the given zone. */
export function weekdayAt(
  moment: number,
  zone: string,
  weekday: 'long' | 'short' = 'long',
): string {
  return new Intl.DateTimeFormat(formatLocale(), { weekday, timeZone: zone }).format(moment)
}

/** Time until something starts: "2 d 3 h", "2 h 10 min" or "10 min". */
export function timeUntil(start: number, now: number): string {
  const minutes = Math.max(Math.ceil((start - now) / MINUTE_MS), 1)
  const hours = Math.floor(minutes / 60)
  if (hours >= 24) {
    const days = Math.floor(hours / 24)
    return hours % 24 === 0
      ? m.content_days({ days })
      : m.content_days_hours({ days, hours: hours % 24 })
  }
  if (hours > 0) return m.content_hours_minutes({ hours, minutes: minutes % 60 })
  return m.content_minutes({ minutes })
}
