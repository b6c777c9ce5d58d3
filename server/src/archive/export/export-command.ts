// `npm run archive -- export FOLDER`: arguments in, progress on standard error, the folder on standard output.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError } from '../../backup/archive/errors.ts'
import type { FileSource } from '../../backup/files/file-source.ts'
import { counted } from '../../backup/progress.ts'
import { FORMATS, type Format } from './criteria.ts'
import { beginExport, resumeExport, type ExportTally } from './export-archive.ts'

export const EXPORT_USAGE =
  'Use: npm run archive -- export FOLDER [--from DAY] [--to DAY] [--member NAME] [--chat NAME] [--kind KIND] [--words "…"] ' +
  '[--search NUMBER] [--format eml,jsonl,csv] [--reason "…"], or npm run archive -- export FOLDER --resume.'

const EVERY_MS = 2_000

const OPTIONS = {
  from: { type: 'string' },
  to: { type: 'string' },
  member: { type: 'string' },
  chat: { type: 'string' },
  kind: { type: 'string' },
  words: { type: 'string' },
  search: { type: 'string' },
  format: { type: 'string' },
  reason: { type: 'string' },
  resume: { type: 'boolean' },
} as const

export type ExportOrder = ReturnType<typeof parseExport>

/** @throws BackupError for what is no order */
export function parseExport(args: string[]) {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
    const [folder] = positionals
    const { format, resume = false, reason = null, ...criteria } = values
    if (!folder || positionals.length > 1) throw new Error('one folder')
    if (resume && Object.keys(values).length > 1) throw new Error('it goes on as it was begun')
    const formats = format?.split(',') ?? [...FORMATS]
    if (!formats.every((each): each is Format => FORMATS.includes(each as Format)))
      throw new Error('an unknown format')
    // Relative to where the person is, not to the project, which is where npm runs its commands.
    const at = resolve(process.env.INIT_CWD ?? '.', folder)
    return { folder: at, resume, formats, criteria, reason }
  } catch (cause) {
    throw new BackupError(EXPORT_USAGE, { cause })
  }
}

/** @returns the exit code */
export async function exportCommand(
  client: GuardedClient,
  order: ExportOrder,
  files: FileSource | null,
  print: (line: string) => void,
  say = (line: string) => process.stderr.write(`${line}\n`),
): Promise<number> {
  const { folder, resume, formats, criteria, reason } = order
  const { tally, stop } = printTally(say)
  try {
    const dependencies = { folder, files, tally }
    const { state, manifestHash } = await (resume
      ? resumeExport(client, dependencies)
      : beginExport(client, dependencies, { criteria, formats, reason }))
    if (state.unsealed > 0)
      say(`${counted(state.unsealed)} records were not sealed when it began, and are not in it.`)
    if (!files) say('Files are not within reach: their SHA-256 are in the records.')
    say(`${counted(state.count)} records. The SHA-256 of manifest.json is ${manifestHash}.`)
    say(
      `The recipient checks it in its folder with: node verify-export.mjs --manifest ${manifestHash}`,
    )
    print(folder)
    return 0
  } finally {
    stop()
  }
}

function printTally(say: (line: string) => void) {
  const done = { total: 0, records: 0, files: 0, conversations: 0 }
  const started = performance.now()
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000)
    const of = `of ${counted(done.total)}`
    say(
      `${seconds} s: ${counted(done.records)} ${of} records, ${counted(done.files)} files, ` +
        `${counted(done.conversations)} records in conversations`,
    )
  }, EVERY_MS)
  timer.unref()
  const tally: ExportTally = {
    selected: (records) => void (done.total = records),
    records: (count) => void (done.records += count),
    conversations: (count) => void (done.conversations += count),
    file: () => void done.files++,
  }
  return { tally, stop: () => clearInterval(timer) }
}
