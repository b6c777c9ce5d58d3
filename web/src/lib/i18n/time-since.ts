import { m } from '#lib/messages/messages.js'
import { formatLocale } from './format-locale.ts'

const MINUTE_MS = 60_000

/** "5 minutes ago", for data read before the connection was lost. */
export function timeSince(moment: number, now: number): string {
  const relative = new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' })
  const minutes = Math.round((moment - now) / MINUTE_MS)
  if (minutes > -1) return m.ui_just_now()
  if (minutes > -60) return relative.format(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours > -48
    ? relative.format(hours, 'hour')
    : relative.format(Math.round(hours / 24), 'day')
}
