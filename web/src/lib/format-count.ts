import { formatLocale } from './format-locale.ts'

/** `10,000`: how many of something, wherever it may pass a thousand. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(formatLocale()).format(count)
}
