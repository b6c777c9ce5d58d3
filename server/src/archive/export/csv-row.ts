// RFC 4180, safe to open: what a spreadsheet would take for a formula begins with an apostrophe.
import type { RecordRow } from '../record-line.ts'

const COLUMNS = [
  'seq',
  'recorded_at',
  'kind',
  'actor_id',
  'actor_name',
  'actor_email',
  'actor_role',
  'chat_id',
  'subject_id',
  'member_id',
  'audience',
] as const

const CONTENT_COLUMNS = ['text', 'before', 'reason'] as const

/** With a byte order mark, by which spreadsheets know UTF-8. */
export const CSV_HEAD = `\uFEFF${[...COLUMNS, ...CONTENT_COLUMNS, 'content'].join(',')}\r\n`

export function csvRow(record: RecordRow): string {
  const content = JSON.parse(record.content) as Record<string, unknown>
  const values = [
    ...COLUMNS.map((column) => record[column]),
    ...CONTENT_COLUMNS.map((column) => content[column]),
    record.content,
  ]
  return `${values.map(csvValue).join(',')}\r\n`
}

export function csvValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
