import { calendarFile, calendarFileName } from './calendar-file.ts'
import type { Meeting } from './meeting.ts'

/** Hands the file to the device, which asks its calendar. */
export function downloadCalendarFile(meeting: Meeting, zone: string) {
  const file = new Blob([calendarFile(meeting, zone, Date.now())], {
    type: 'text/calendar;charset=utf-8',
  })
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = calendarFileName(meeting)
  link.click()
  URL.revokeObjectURL(address)
}
