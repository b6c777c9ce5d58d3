import { formatLocale } from './format-locale.ts'

/** Date and time in the viewer's language and zone. */
export function formatMoment(at: string): string {
  const format = new Intl.DateTimeFormat(formatLocale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return format.format(new Date(at))
}
