// `npm run archive -- export FOLDER`: arguments in, progress on standard error, the folder on standard output.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError } from '../../backup/archive/errors.ts'
import { counted, sayEvery } from '../../backup/progress.ts'
import type { ArchivedFiles } from '../archived-files.ts'
import { FORMATS, type Format } from './criteria.ts'
import { beginExport, resumeExport, type ExportTally } from './export-archive.ts'
import { isUnfinished } from './export-state.ts'

export const EXPORT_USAGE =
  'Use: npm run archive -- export FOLDER [--from DAY] [--to DAY] [--member NAME] [--chat NAME] [--kind KIND] [--words "…"] ' +
  '[--search NUMBER] [--format eml,jsonl,csv] [--reason "…"], or npm run archive -- export FOLDER --resume.'

const EVERY_MS = 2_000

export const COMPLETE = 0
export const FILES_MISSING = 1

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
  files: ArchivedFiles | null,
  print: (line: string) => void,
  say = (line: string) => process.stderr.write(`${line}\n`),
): Promise<number> {
  const { folder, resume, formats, criteria, reason } = order
  const { tally, stop } = printTally(say)
  try {
    const dependencies = { folder, files, tally }
    const { state, manifestHash, missing } = await (resume
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
    const absent = [
      [
        'the file store does not have them or has them with other bytes',
        missing.gone + missing.altered,
      ],
      ['the file store did not have them when they were to be archived', missing['never there']],
      ['the server had not read them yet when it began', missing['not read yet']],
    ] as const
    for (const [why, count] of absent)
      if (count > 0)
        say(`Not in it, because ${why}: ${counted(count, 'file')}. manifest.json names them.`)
    say(`${counted(state.count, 'record')}. The SHA-256 of manifest.json is ${manifestHash}.`)
    say(
      `The recipient checks it in its folder with: node verify-export.mjs --manifest ${manifestHash}`,
    )
    print(folder)
    return absent.every(([, count]) => count === 0) ? COMPLETE : FILES_MISSING
  } finally {
    stop()
  }
}

/** Why an export ended, and how it goes on if it was begun. Mistakes say themselves what to do. */
export async function withWayOn(reason: unknown, folder: string, isStopped: boolean) {
  const isMistake = reason instanceof BackupError && !isStopped
  if (isMistake || !(await isUnfinished(folder))) return reason
  const { message } = reason as Error
  const said = `${message.replace(/\.$/, '')}. Go on with: npm run archive -- export ${asArgument(folder)} --resume`
  return isStopped ? new BackupError(said, { cause: reason }) : new Error(said, { cause: reason })
}

/** As a shell takes it. */
const asArgument = (text: string) =>
  /^[\w%+,./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

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
