import { formatLocale } from '#lib/i18n/format-locale.ts'

/** Schedule days run Monday to Sunday (product.md P40). */
export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

export type Weekday = (typeof WEEKDAYS)[number]

/**
 * "Monday" or "Mon" in the member's language, capitalized for a label; within a sentence Spanish writes
 * "martes".
 */
export function weekdayName(weekday: Weekday, style: 'long' | 'short' = 'long'): string {
  // January 5, 2026 was a Monday.
  const moment = Date.UTC(2026, 0, 5 + WEEKDAYS.indexOf(weekday))
  const format = new Intl.DateTimeFormat(formatLocale(), { weekday: style, timeZone: 'UTC' })
  const name = format.format(moment)
  return name.charAt(0).toLocaleUpperCase(formatLocale()) + name.slice(1)
}
