import { giveFile } from '#lib/give-file.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import { calendarFile, calendarFileName } from './calendar-file.ts'
import type { Meeting } from './meeting.ts'

/** Hands the file to the device, which asks its calendar. */
export function downloadCalendarFile(meeting: Meeting, zone: string) {
  const file = calendarFile(meeting, zone, Date.now())
  giveFile(calendarFileName(meeting), file, 'text/calendar;charset=utf-8').catch((error: unknown) =>
    showError(m.content_error_calendar(), error),
  )
}
