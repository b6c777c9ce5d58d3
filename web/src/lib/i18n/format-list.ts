import { formatLocale } from './format-locale.ts'

/** "Title, link, and image"; the short style has "A & B", in Spanish "A y B". */
export function formatList(items: string[], style: 'long' | 'short' = 'long'): string {
  return new Intl.ListFormat(formatLocale(), { type: 'conjunction', style }).format(items)
}
