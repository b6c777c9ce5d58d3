import type { Weekday } from '#lib/weekdays.ts'

/** A content item as admins see it, deleted or not. The last five are only there for schedule items. */
export type ManagedItem = {
  id: string
  title: string
  description: string | null
  url: string | null
  image_url: string | null
  image_alt: string | null
  category: string
  sort_order: number
  is_active: boolean
  version: number
  day_of_week?: Weekday
  start_time?: string
  end_time?: string
  meeting_id?: string | null
  meeting_password?: string | null
}
