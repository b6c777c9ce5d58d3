import { WEEKDAYS } from '#domain/weekdays.ts'
import { minutesOf, type Meeting } from './meeting.ts'
import { addDays, momentOf, wallClock, weekdayIndex } from './zoned-time.ts'

/** One occurrence of a weekly meeting, as absolute times, so that it can be shown in every viewer's zone. */
export type Occurrence<Item extends Meeting = Meeting> = {
  meeting: Item
  start: number
  end: number
  isNow: boolean
}

/** The current or next occurrence. Start is before end, so no meeting crosses midnight. */
export function nextOccurrence<Item extends Meeting>(
  meeting: Item,
  zone: string,
  now: number,
): Occurrence<Item> {
  const today = wallClock(now, zone)
  const wait = (WEEKDAYS.indexOf(meeting.day_of_week) - weekdayIndex(today) + 7) % 7
  const inDays = (days: number) => {
    const date = addDays(today, days)
    const start = momentOf(date, minutesOf(meeting.start_time), zone)
    const end = momentOf(date, minutesOf(meeting.end_time), zone)
    return { meeting, start, end, isNow: start <= now && now < end }
  }
  const soonest = inDays(wait)
  return soonest.end > now ? soonest : inDays(wait + 7)
}

/** The meeting to highlight: the running one, else the one that starts first. */
export function nextMeeting<Item extends Meeting>(
  meetings: Item[],
  zone: string,
  now: number,
): Occurrence<Item> | undefined {
  return meetings
    .map((meeting) => nextOccurrence(meeting, zone, now))
    .sort((a, b) => a.start - b.start)[0]
}
