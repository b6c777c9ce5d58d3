import { formatLocale } from '#lib/i18n/format-locale.ts'

/** "7:00 PM" for the database's `19:00:00`: a 12-hour clock in every language (product.md P41). */
export function clockTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return formatClockTime(Date.UTC(2026, 0, 5, hours, minutes), 'UTC')
}

/** The clock time in a zone at a moment. */
export function formatClockTime(moment: number, zone: string): string {
  const clock = new Intl.DateTimeFormat(formatLocale(), {
    timeZone: zone,
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
  })
  // Some browsers separate time and AM/PM with a narrow space, others with a regular one, where a line could break.
  return clock.format(moment).replaceAll(/[\u202f ]/g, '\u00a0')
}
