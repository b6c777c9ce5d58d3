import { getLocale } from './messages/runtime.js'

/**
 * Whose way of writing times and numbers is shown: the viewer's language as it is written in the United States, where
 * the team is. Spanish alone would be Spain's: `19:00` and `3.000` beside dollars and 12-hour schedules.
 */
export function formatLocale(): string {
  return getLocale() === 'es' ? 'es-US' : 'en-US'
}
