import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import { calendarDay } from './thread-rows.ts'

export function DaySeparator({ date }: { date: string }) {
  const now = useNow()
  return (
    <div className="flex justify-center py-2">
      <span className="rounded-full bg-tint px-3 py-1 text-caption font-semibold text-muted">
        {dayLabel(date, now)}
      </span>
    </div>
  )
}

/** Today, Yesterday, a weekday with date, or the full date of another year. */
export function dayLabel(date: string, now: number, locale: string = formatLocale()): string {
  const day = calendarDay(date)
  if (day === calendarDay(now)) return m.chat_today()
  // Noon today minus a day: midnight would fail on days that a clock change shortens.
  if (day === calendarDay(new Date(now).setHours(12) - 24 * 60 * 60 * 1000))
    return m.chat_yesterday()
  const isThisYear = day.slice(0, 4) === calendarDay(now).slice(0, 4)
  return new Date(date).toLocaleDateString(locale, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

export function NewMessagesLine() {
  return (
    <div className="flex items-center gap-2.5 py-1.5 text-caption font-semibold text-danger-text">
      <span className="h-px flex-1 bg-danger/40" />
      {m.chat_new_messages()}
      <span className="h-px flex-1 bg-danger/40" />
    </div>
  )
}
