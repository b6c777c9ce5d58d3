import { formatLocale } from './format-locale.ts'

/** `10,000`: a count that may exceed a thousand. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(formatLocale()).format(count)
}
