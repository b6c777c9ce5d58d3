import { getLocale } from '#lib/messages/runtime.js'

/** Date and time in the viewer's language and zone. */
export function formatMoment(at: string): string {
  const format = new Intl.DateTimeFormat(getLocale(), { dateStyle: 'medium', timeStyle: 'short' })
  return format.format(new Date(at))
}
