import { BYTE_ORDER_MARK, csvLine } from '#lib/csv.ts'
import { calendarDay } from '#lib/i18n/day-label.ts'
import { spreadsheetMoment, viewerZone } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { saveFile } from '#lib/native/save-file.ts'
import { KIND_LOOKS, type AuditKind } from './audit-kinds.ts'
import {
  readEntries,
  type AuditCursor,
  type AuditEntry,
  type AuditSearch,
} from './audit-queries.ts'
import { actorName, listPeople } from './entry-names.ts'
import { fieldName } from './field-names.ts'
import { sentenceOf } from './sentences/sentence-of.ts'
import { valueText } from './value-texts.ts'

const PAGE = 200

/**
 * Gives the member a CSV file with every entry that is found. Reads them page by page, so that no response
 * of the server is large.
 *
 * @returns how many there are
 */
export async function exportAuditLog(
  search: AuditSearch,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const parts = [BYTE_ORDER_MARK, csvLine(headings())]
  let after: AuditCursor = null
  let count = 0
  for (;;) {
    const page: AuditEntry[] = await readEntries(search, after, PAGE, signal)
    parts.push(page.map((entry) => csvLine(cellsOf(entry))).join(''))
    count += page.length
    onProgress(count)
    after = page.at(-1) ?? null
    if (page.length < PAGE) break
  }
  await saveFile(
    `${m.audit_file_name()}-${calendarDay(Date.now())}.csv`,
    new Blob(parts),
    'text/csv;charset=utf-8',
  )
  return count
}

const headings = () => [
  `${m.audit_time()} (${viewerZone()})`,
  m.audit_by(),
  m.audit_by_email(),
  m.audit_area(),
  m.audit_what(),
  m.audit_about(),
  m.audit_reason(),
  m.audit_before(),
  m.audit_after(),
]

function cellsOf(entry: AuditEntry): string[] {
  return [
    spreadsheetMoment(entry.recorded_at),
    actorName(entry),
    entry.names[entry.actor_id ?? '']?.email ?? '',
    KIND_LOOKS[entry.kind as AuditKind].name(),
    sentenceOf(entry),
    listPeople(entry, entry.people, entry.people_count),
    entry.details.reason ?? '',
    valuesText(entry, entry.before),
    valuesText(entry, entry.after),
  ]
}

/** "Title: Monday meeting; Start time: 9:00 AM", without what was empty. */
function valuesText(entry: AuditEntry, values: AuditEntry['before']): string {
  return Object.entries(values ?? {})
    .filter(([, value]) => value !== null && value !== '')
    .map(
      ([column, value]) => `${fieldName(entry.kind, column)}: ${valueText(entry, column, value)}`,
    )
    .join('; ')
}
