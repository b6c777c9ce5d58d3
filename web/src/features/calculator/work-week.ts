import { WORKING_DAYS_PER_WEEK } from './periods.ts'

/** A calendar day in the member's time zone, in the format of a Postgres `date`: `2026-11-23`. */
export type Day = string

export function dayOf(moment: Date): Day {
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`
}

export function addDays(day: Day, days: number): Day {
  // Noon UTC, so that no clock change can move it to another day.
  const moment = new Date(`${day}T12:00:00Z`)
  moment.setUTCDate(moment.getUTCDate() + days)
  return moment.toISOString().slice(0, 10)
}

/** Weeks run Monday to Sunday, like the schedule (product.md P40). */
export function mondayOf(day: Day): Day {
  return addDays(day, -daysSinceMonday(day))
}

/**
 * Working days of this week that are over before the given day, and when it ends. Days before `start` don't
 * count: nobody is behind on a goal before it was set.
 */
export function workingDaysGone(day: Day, start: Day): { before: number; withToday: number } {
  const first = start > mondayOf(day) ? Math.min(daysSinceMonday(start), WORKING_DAYS_PER_WEEK) : 0
  const gone = (days: number) => Math.max(Math.min(days, WORKING_DAYS_PER_WEEK) - first, 0)
  return { before: gone(daysSinceMonday(day)), withToday: gone(daysSinceMonday(day) + 1) }
}

function daysSinceMonday(day: Day): number {
  return (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7
}
