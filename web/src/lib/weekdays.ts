import { formatLocale } from './format-locale.ts'

/** Schedule days are ordered Monday to Sunday (spec section 9, Categories). */
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

/** "Monday" or "Mon", in the member's language, as it stands alone on a label: Spanish writes "martes" within a line. */
export function weekdayName(weekday: Weekday, style: 'long' | 'short' = 'long'): string {
  // 5 January 2026 was a Monday.
  const moment = Date.UTC(2026, 0, 5 + WEEKDAYS.indexOf(weekday))
  const format = new Intl.DateTimeFormat(formatLocale(), { weekday: style, timeZone: 'UTC' })
  const name = format.format(moment)
  return name.charAt(0).toLocaleUpperCase(formatLocale()) + name.slice(1)
}
