/** The latest moment before `now` at which the clock of this machine said `time` (such as `03:00`). */
export function lastDue(now: Date, time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const due = new Date(now)
  due.setHours(hours, minutes, 0, 0)
  if (due > now) due.setDate(due.getDate() - 1)
  return due
}
