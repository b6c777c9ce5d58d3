import type { Json } from '#data/database.types.ts'
import type { AuditEntry } from '#features/audit-log/audit-queries.ts'
import { fieldName } from '#features/audit-log/field-names.ts'
import { shortText } from '#features/audit-log/value-texts.ts'
import { formatList } from '#lib/i18n/format-list.ts'

/** The columns of which an entry keeps a value before or after. */
export function columnsOf({ before, after }: AuditEntry): string[] {
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
}

/** "Title, link and image". */
export function fieldList(entry: AuditEntry): string {
  const names = columnsOf(entry).map((column) => fieldName(entry.kind, column))
  return formatList(names)
}

/** The one column that changed, if both values are short enough for a sentence. */
export function onlyChange(entry: AuditEntry) {
  const [column, ...others] = columnsOf(entry)
  if (column === undefined || others.length > 0) return undefined
  const from = shortText(entry, column, entry.before?.[column])
  const to = shortText(entry, column, entry.after?.[column])
  if (from === undefined || to === undefined) return undefined
  return { field: fieldName(entry.kind, column), from, to }
}

/** A recorded value that is a text or an id; empty if it is none. */
export const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : '')
