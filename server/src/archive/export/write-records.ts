import { join } from 'node:path'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { readInPages } from '../read-in-pages.ts'
import { RECORD_COLUMNS, recordLine, type RecordRow } from '../record-line.ts'
import { CSV_HEAD, csvRow } from './csv-row.ts'
import type { ExportProgress } from './export-state.ts'
import { openHashedFile } from './hashed-file.ts'

export const JSONL = 'records.jsonl'
export const CSV = 'records.csv'

/** Where an interrupted export goes on. */
const NOTE_EVERY = 5_000

/** Writes the records in the order of their numbers, as the lines that were hashed and as a table. */
export async function writeRecords(
  client: GuardedClient,
  folder: string,
  progress: ExportProgress,
  passed: (records: number) => void,
): Promise<void> {
  const { state } = progress
  const done = { ...state.records }
  const wants = (format: 'jsonl' | 'csv') => state.formats.includes(format)
  passed(done.count)
  if (done.isDone || (!wants('jsonl') && !wants('csv'))) return
  const jsonl = wants('jsonl') ? await openHashedFile(join(folder, JSONL), done.jsonl) : null
  const csv = wants('csv') ? await openHashedFile(join(folder, CSV), done.csv) : null
  try {
    if (done.csv === 0) await csv?.write(CSV_HEAD)
    const rows = readInPages<RecordRow>(
      client,
      'export_records',
      `select ${RECORD_COLUMNS} from export_selection x join archive.records r using (seq)
       where x.seq > $1 order by x.seq`,
      [done.seq],
    )
    for await (const row of rows) {
      await jsonl?.write(`${recordLine(row)}\n`)
      await csv?.write(csvRow(row))
      done.seq = row.seq
      done.count++
      passed(1)
      if (done.count % NOTE_EVERY !== 0) continue
      done.jsonl = (await jsonl?.flushed()) ?? 0
      done.csv = (await csv?.flushed()) ?? 0
      await progress.note({ records: { ...done } })
    }
    if (jsonl) progress.list({ path: JSONL, ...(await jsonl.close()) })
    if (csv) progress.list({ path: CSV, ...(await csv.close()) })
  } catch (error) {
    await jsonl?.abandon()
    await csv?.abandon()
    throw error
  }
  await progress.note({ records: { ...done, isDone: true } })
}
