import { giveFile } from '#lib/give-file.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import type { Meeting } from './meeting.ts'

/** Hands the file to the device, which asks its calendar. How one is written is loaded when first asked for. */
export function downloadCalendarFile(meeting: Meeting, zone: string) {
  make(meeting, zone).catch((error: unknown) => showError(m.content_error_calendar(), error))
}

async function make(meeting: Meeting, zone: string) {
  const { calendarFile, calendarFileName } = await import('./calendar-file.ts')
  const file = calendarFile(meeting, zone, Date.now())
  await giveFile(calendarFileName(meeting), file, 'text/calendar;charset=utf-8')
}
