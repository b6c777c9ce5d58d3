import type { Meeting } from './meeting.ts'
import { WEEKDAYS } from '#lib/weekdays.ts'

/** Sorted by weekday, then sort order, then start time (spec section 2, Schedule). */
export function sortMeetings<Item extends Meeting>(meetings: Item[]): Item[] {
  return [...meetings].sort(
    (a, b) =>
      WEEKDAYS.indexOf(a.day_of_week) - WEEKDAYS.indexOf(b.day_of_week) ||
      a.sort_order - b.sort_order ||
      a.start_time.localeCompare(b.start_time),
  )
}
