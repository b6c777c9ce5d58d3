import { m } from '#lib/messages/messages.js'
import { formatCount } from './format-count.ts'
import { formatLocale } from './format-locale.ts'

/** "Title, link, and image"; the short style has "A & B", in Spanish "A y B". */
export function formatList(items: string[], style: 'long' | 'short' = 'long'): string {
  return new Intl.ListFormat(formatLocale(), { type: 'conjunction', style }).format(items)
}

/** How many names a sentence holds. */
export const MOST_NAMED = 3

/** "Ana, Ben, and Cleo", or "Ana, Ben, Cleo and 40 more". `names` may lack those that are cut. */
export function formatNames(names: string[], count = names.length): string {
  if (count <= MOST_NAMED) return formatList(names)
  const named = names.slice(0, MOST_NAMED)
  return m.ui_names_and_more({ names: named.join(', '), count: formatCount(count - named.length) })
}
