import { m } from '#lib/messages/messages.js'
import { formatLocale } from './format-locale.ts'

const dayFormats = new Map<string | undefined, Intl.DateTimeFormat>()

/** The calendar day in the viewer's time zone, as 2026-11-20. */
export function calendarDay(time: string | number, timeZone?: string): string {
  const known =
    dayFormats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      timeZone,
    })
  dayFormats.set(timeZone, known)
  return known.format(new Date(time))
}

/** Today, Yesterday, a weekday with date, or the full date of another year. */
export function dayLabel(date: string, now: number, locale: string = formatLocale()): string {
  const day = calendarDay(date)
  if (day === calendarDay(now)) return m.ui_today()
  // Noon today minus a day: midnight would fail on days that a clock change shortens.
  if (day === calendarDay(new Date(now).setHours(12) - 24 * 60 * 60 * 1000)) return m.ui_yesterday()
  const isThisYear = day.slice(0, 4) === calendarDay(now).slice(0, 4)
  return new Date(date).toLocaleDateString(locale, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
  })
}
