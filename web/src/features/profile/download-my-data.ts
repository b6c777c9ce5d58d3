import { callFunction } from '#data/call-function.ts'
import type { Json } from '#data/database.types.ts'
import { calendarDay } from '#lib/i18n/day-label.ts'
import { saveFile } from '#lib/native/save-file.ts'

type Export = { [key: string]: Json | undefined }

/** Gives the member a file with all their data. */
export async function downloadMyData() {
  const data = await exportMyData()
  const name = `my-data-${calendarDay(Date.now())}.json`
  await saveFile(name, JSON.stringify(data, null, 2), 'application/json')
}

/** Everything the member owns, read page by page: the account, the profile and an array of rows for each table. */
async function exportMyData(): Promise<Export> {
  let all: Export = {}
  for (let page = 0, hasMore = true; hasMore; page++) {
    const result = (await callFunction('export_my_data', { page })) as Export
    const { has_more, ...part } = result
    all = Object.fromEntries(
      Object.entries(part).map(([key, rows]) => [key, joined(all[key], rows)]),
    )
    hasMore = has_more === true
  }
  return all
}

function joined(before: Json | undefined, rows: Json | undefined) {
  return Array.isArray(before) && Array.isArray(rows) ? [...before, ...rows] : rows
}
