import { getLocale } from './messages/runtime.js'

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

/** "Monday" or "Mon", in the member's language. */
export function weekdayName(weekday: Weekday, style: 'long' | 'short' = 'long'): string {
  // 5 January 2026 was a Monday.
  const moment = Date.UTC(2026, 0, 5 + WEEKDAYS.indexOf(weekday))
  return new Intl.DateTimeFormat(getLocale(), { weekday: style, timeZone: 'UTC' }).format(moment)
}
