import type { Weekday } from '#lib/weekdays.ts'

/** One weekly event, as the schedule needs it. Times are the team's wall clock: `19:00:00`. */
export type Meeting = {
  id: string
  title: string
  description: string | null
  url: string | null
  image_url: string | null
  sort_order: number
  day_of_week: Weekday
  start_time: string
  end_time: string
  meeting_id: string | null
  meeting_password: string | null
}

export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
