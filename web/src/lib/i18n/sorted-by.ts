import { formatLocale } from './format-locale.ts'

/** The rows in the order of a dictionary in the viewer's language: accents and capitals do not send a name behind Z. */
export function sortedBy<Row>(rows: Row[], textOf: (row: Row) => string): Row[] {
  const { compare } = new Intl.Collator(formatLocale())
  return [...rows].sort((a, b) => compare(textOf(a), textOf(b)))
}
