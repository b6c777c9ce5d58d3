// `npm run archive -- export FOLDER`: arguments in, progress on standard error, the folder on standard output.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError } from '../../backup/archive/errors.ts'
import type { FileSource } from '../../backup/files/file-source.ts'
import { counted, sayEvery } from '../../backup/progress.ts'
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
    if (!folder || positionals.length > 1) throw new Error('An export needs one folder.')
    if (resume && Object.keys(values).length > 1)
      throw new Error('With --resume it goes on as it was begun: leave the other options out.')
    const formats = format?.split(',') ?? [...FORMATS]
    const unknown = formats.find((each) => !FORMATS.includes(each as Format))
    if (unknown !== undefined) throw new Error(`There is no format "${unknown}".`)
    // Relative to where the person is, not to the project, which is where npm runs its commands.
    const at = resolve(process.env.INIT_CWD ?? '.', folder)
    return { folder: at, resume, formats: formats as Format[], criteria, reason }
  } catch (cause) {
    throw usageError(cause, EXPORT_USAGE)
  }
}

/** What is wrong with the arguments, in a sentence, and which there are. */
export function usageError(cause: unknown, usage: string): BackupError {
  // After its first sentence, Node explains how to name a file "--something".
  const [what = ''] = (cause as Error).message.split(/\.(?:\s|$)/)
  return new BackupError(`${what}.\n${usage}`, { cause })
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
      say(
        `Not sealed when it began, and therefore not in it: ${counted(state.unsealed, 'record')}.`,
      )
    if (!state.withFiles)
      say(
        'Files are not in it, only their SHA-256. For an export with files, set SUPABASE_URL and SUPABASE_SECRET_KEY of the project.',
      )
    say(`${counted(state.count, 'record')}. The SHA-256 of manifest.json is ${manifestHash}.`)
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
  const stop = sayEvery(
    EVERY_MS,
    say,
    () =>
      `${counted(done.records)} of ${counted(done.total, 'record')}, ${counted(done.files, 'file')}, ` +
      `${counted(done.conversations, 'record')} in conversations`,
  )
  const tally: ExportTally = {
    selected: (records) => void (done.total = records),
    records: (count) => void (done.records += count),
    conversations: (count) => void (done.conversations += count),
    files: (count) => void (done.files += count),
  }
  return { tally, stop }
}
