import type { Row } from '#data/database.ts'

/** A content item as admins see it, deleted or not. The last five fields exist on schedule items only. */
export type ManagedItem = Row<'home_content'> &
  Partial<
    Pick<
      Row<'schedule_content'>,
      'day_of_week' | 'start_time' | 'end_time' | 'meeting_id' | 'meeting_password'
    >
  >
