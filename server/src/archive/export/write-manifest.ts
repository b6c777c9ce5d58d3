import { join } from 'node:path'
import { isEverything } from './criteria.ts'
import { readList, type ExportState, type ListedFile, type MissingFile } from './export-state.ts'
import { openHashedFile, type Written } from './hashed-file.ts'

export const MANIFEST = 'manifest.json'
export const UNNAMED_MANIFEST = `${MANIFEST}.partial`

/** Under a name of its own: it gets its real one when the export is recorded. */
export async function writeManifest(folder: string, state: ExportState): Promise<Written> {
  const file = await openHashedFile(join(folder, UNNAMED_MANIFEST))
  try {
    const head = {
      format: 'archive export 1',
      id: state.id,
      started_at: state.startedAt,
      made_by: state.by,
      reason: state.reason,
      criteria: state.criteria,
      is_everything: isEverything(state.criteria),
      formats: state.formats,
      records: state.count,
      conversation_days: state.conversations.count,
      head: { seal: state.extent.seal, hash: state.extent.hash },
      not_sealed_yet: state.unsealed,
      attachments: state.withFiles ? 'included' : 'out of reach',
    }
    const text = JSON.stringify(head, null, 2)
    await file.write(`${text.slice(0, -2)},\n  "missing_files": [`)
    await writeListed(folder, file, (each) => 'missing' in each)
    await file.write('],\n  "files": [')
    await writeListed(folder, file, (each) => 'path' in each)
    await file.write(']\n}\n')
    return await file.close()
  } catch (error) {
    await file.abandon()
    throw error
  }
}

// Line by line: there may be a file for each conversation and day.
async function writeListed(
  folder: string,
  file: { write(text: string): Promise<void> },
  isWanted: (listed: ListedFile | MissingFile) => boolean,
) {
  let isFirst = true
  for await (const listed of readList(folder)) {
    if (!isWanted(listed)) continue
    await file.write(`${isFirst ? '' : ','}\n    ${JSON.stringify(listed)}`)
    isFirst = false
  }
  if (!isFirst) await file.write('\n  ')
}
