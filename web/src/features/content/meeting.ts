import type { Row } from '#data/database.ts'
import { WEEKDAYS } from '#domain/weekdays.ts'

/** A weekly event as the schedule needs it. Times are in the team's zone: `19:00:00`. */
export type Meeting = Pick<
  Row<'schedule_content'>,
  | 'id'
  | 'title'
  | 'description'
  | 'url'
  | 'image_url'
  | 'sort_order'
  | 'day_of_week'
  | 'start_time'
  | 'end_time'
  | 'meeting_id'
  | 'meeting_password'
>

export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** Sorted by weekday, then sort order, then start time (product.md P40). */
export function sortMeetings<Item extends Meeting>(meetings: Item[]): Item[] {
  return [...meetings].sort(
    (a, b) =>
      WEEKDAYS.indexOf(a.day_of_week) - WEEKDAYS.indexOf(b.day_of_week) ||
      a.sort_order - b.sort_order ||
      a.start_time.localeCompare(b.start_time),
  )
}
