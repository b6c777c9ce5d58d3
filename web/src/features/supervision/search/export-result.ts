import { callFunction } from '#data/call-function.ts'
import { BYTE_ORDER_MARK, csvLine } from '#lib/csv.ts'
import { calendarDay } from '#lib/i18n/day-label.ts'
import { m } from '#lib/messages/messages.js'
import { saveFile } from '#lib/native/save-file.ts'
import { criteriaOf, type Search } from './search-queries.ts'

const PAGE = 500
/** More is for whoever runs the server: `npm run archive -- export`. */
export const MOST_EXPORTED = 5000

export type ExportFormat = 'jsonl' | 'csv'

const COLUMNS = [
  ...['seq', 'recorded_at', 'kind', 'actor_id', 'actor_name', 'actor_email', 'actor_role'],
  ...['chat_id', 'subject_id', 'member_id', 'audience'],
]
const CONTENT_COLUMNS = ['text', 'before', 'reason']

/**
 * Gives the supervisor a file with the newest records that were found, page by page, whatever was said since the search.
 * Lines are those that were hashed.
 *
 * @returns how many there are
 */
export async function exportResult(
  { search, searchSeq }: { search: Search; searchSeq: number },
  format: ExportFormat,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const parts = format === 'csv' ? [BYTE_ORDER_MARK, csvLine([...COLUMNS, ...CONTENT_COLUMNS])] : []
  let before = searchSeq
  let count = 0
  while (count < MOST_EXPORTED) {
    const page = await callFunction(
      'export_search',
      { ...criteriaOf(search), max_results: PAGE, before_seq: before },
      signal,
    )
    parts.push(page.map(({ line }) => (format === 'csv' ? csvRow(line) : `${line}\n`)).join(''))
    count += page.length
    onProgress(count)
    before = page.at(-1)?.seq ?? before
    if (page.length < PAGE) break
  }
  const day = calendarDay(Date.now())
  const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/jsonl'
  await saveFile(`${m.archive_search_file()}-${day}.${format}`, new Blob(parts), type)
  return count
}

function csvRow(line: string): string {
  const record = JSON.parse(line) as Record<string, unknown> & { content: Record<string, unknown> }
  return csvLine([
    ...COLUMNS.map((column) => cell(record[column])),
    ...CONTENT_COLUMNS.map((column) => cell(record.content[column])),
  ])
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
