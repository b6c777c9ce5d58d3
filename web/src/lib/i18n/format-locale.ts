import { getLocale } from '#lib/messages/runtime.js'

/**
 * The locale for times and numbers: the viewer's language as used in the United States, where the team is.
 * Plain Spanish would be Spain's: `19:00` and `3.000` next to dollars and 12-hour schedules.
 */
export function formatLocale(): string {
  return getLocale() === 'es' ? 'es-US' : 'en-US'
}
