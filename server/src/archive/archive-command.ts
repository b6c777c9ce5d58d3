// `npm run archive -- verify`, `npm run archive -- head` and `npm run archive -- export`.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BackupError } from '../backup/archive/errors.ts'
import type { CommandContext } from '../backup/commands.ts'
import { connect } from '../backup/database/snapshot.ts'
import { openDatabaseOf } from '../backup/installation.ts'
import { counted, sayEvery } from '../backup/progress.ts'
import { reasonOf } from '../backup/stopped.ts'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import {
  EXPORT_USAGE,
  exportCommand,
  parseExport,
  usageError,
  withWayOn,
} from './export/export-command.ts'
import { openArchivedFiles } from './archived-files.ts'
import { HEADS_FILE, readHeads } from './heads-file.ts'
import { verifyArchive, type Verification, type VerifyProgress } from './verify-archive.ts'

const USAGE = `Use: npm run archive -- verify [--head HASH], or npm run archive -- head.\n${EXPORT_USAGE}`
const HASH = /^[0-9a-f]{64}$/
const EVERY_MS = 5_000
const UNSEALED_TOO_LONG_MS = 15 * 60_000

export const INTACT = 0
export const NOT_INTACT = 1
export const COULD_NOT_LOOK = 2

/** @returns the exit code */
export async function archiveCommand(args: string[], context: CommandContext): Promise<number> {
  const order = args[0] === 'export' ? parseExport(args.slice(1)) : null
  const { positionals, heads } = order ? { positionals: ['export'], heads: [] } : parse(args)
  const [task] = positionals
  if (positionals.length !== 1 || (task !== 'verify' && task !== 'head' && !order))
    throw new BackupError(USAGE)
  if (task === 'head' && heads.length > 0)
    throw new BackupError(`To look for a head in the chain, verify with --head.\n${USAGE}`)
  const { settings, print, signal } = context
  const database = await openDatabaseOf(settings)
  const client = await connect(database.url).catch(async (error: unknown) => {
    await database.stop()
    throw error
  })
  const stop = () => void client.end().catch(() => undefined)
  signal.addEventListener('abort', stop)
  try {
    // While the database was opened, nothing heard of it.
    signal.throwIfAborted()
    if (!(await hasArchive(client))) throw new BackupError('This database has no archive.')
    if (task === 'head') return await printHead(client, print)
    const files = await openArchivedFiles(client, settings, signal)
    if (order) return await exportCommand(client, order, files, print)
    const noted = await readHeads(join(settings.DATA_DIR, HEADS_FILE))
    const verification = await withProgress((progress) =>
      verifyArchive(client, { files, heads, noted: noted.heads, progress }),
    )
    report(verification, print)
    reportHeads({ ...noted, compared: heads.length + noted.heads.length }, print)
    await tellAdmins(client, verification)
    return verification.findingCount === 0 ? INTACT : NOT_INTACT
  } catch (error) {
    const reason = await reasonOf(error, signal)
    throw order ? await withWayOn(reason, order.folder, signal.aborted) : reason
  } finally {
    signal.removeEventListener('abort', stop)
    await client.end().catch(() => undefined)
    await database.stop()
  }
}

/** On standard error: standard output is for the result. */
async function withProgress<Result>(
  verify: (progress: VerifyProgress) => Promise<Result>,
): Promise<Result> {
  let [records, files] = [0, 0]
  const stop = sayEvery(
    EVERY_MS,
    (line) => process.stderr.write(`${line}\n`),
    () => `${counted(records, 'record')}, ${counted(files, 'file')}`,
  )
  try {
    return await verify({ record: () => void records++, file: () => void files++ })
  } finally {
    stop()
  }
}

// The result stands, whatever becomes of this: the login may only read.
async function tellAdmins(client: GuardedClient, { findingCount }: Verification) {
  const result = JSON.stringify({ findings: findingCount })
  await client
    .query('select public.report_system_check($1, $2)', ['archive', result])
    .catch(() => undefined)
}

function parse(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { head: { type: 'string', multiple: true } },
      allowPositionals: true,
    })
    const heads = (values.head ?? []).map((head) => head.toLowerCase())
    if (!heads.every((head) => HASH.test(head)))
      throw new Error('A head has 64 digits from 0 to f.')
    return { positionals, heads }
  } catch (cause) {
    throw usageError(cause, USAGE)
  }
}

async function hasArchive(client: GuardedClient): Promise<boolean> {
  const { rowCount } = await client.query(`select where to_regclass('archive.records') is not null`)
  return Boolean(rowCount)
}

async function printHead(client: GuardedClient, print: (line: string) => void): Promise<number> {
  const { rows } = await client.query<{ number: string; hash: string }>(
    `select s.number::text, encode(s.hash, 'hex') as hash from archive.seals s order by s.number desc limit 1`,
  )
  print(rows[0] ? `${rows[0].number} ${rows[0].hash}` : 'Nothing is sealed yet.')
  return INTACT
}

function report(verification: Verification, print: (line: string) => void) {
  const { records, seals, messages, files, findings, findingCount, head } = verification
  for (const finding of findings) print(finding)
  if (findingCount > findings.length) print(`… and ${findingCount - findings.length} more.`)
  print(
    `${findingCount === 0 ? 'The archive is intact' : 'THE ARCHIVE IS NOT INTACT'}: ${counted(records, 'record')} under ` +
      `${counted(seals, 'seal')}, ${counted(messages, 'message')} in the chats` +
      `${files === null ? '' : ` and ${counted(files, 'file')}`}.`,
  )
  if (files === null)
    print(
      'Files were not checked: set SUPABASE_URL and SUPABASE_SECRET_KEY of the project for that.',
    )
  const { neverThere, unread, unreadSince } = verification.unhashed
  if (neverThere > 0)
    print(
      `Recorded as missing, because the file store did not have them when they were to be archived: ${counted(neverThere, 'file')}.`,
    )
  if (unread > 0) print(`${counted(unread, 'file')} not read yet, the oldest of ${unreadSince}.`)
  if (verification.unsealed > 0) print(unsealedInWords(verification))
  if (head) print(`It ends with seal ${head.seal}: ${head.hash}`)
}

function reportHeads(
  { compared, broken }: { compared: number; broken: number },
  print: (line: string) => void,
) {
  if (broken > 0)
    print(`${HEADS_FILE} has ${counted(broken, 'line')} without a head: compared with nothing.`)
  if (compared === 0)
    print(
      `No noted head was compared: there is none in ${HEADS_FILE} of DATA_DIR. An archive that was cut off at ` +
        'its end looks intact then. Name a head that was noted elsewhere with --head.',
    )
}

function unsealedInWords({ unsealed, unsealedSince }: Verification): string {
  const age = Date.now() - Date.parse(unsealedSince ?? '')
  const late = age > UNSEALED_TOO_LONG_MS ? ' Does the server run? It seals every minute.' : ''
  return `${counted(unsealed, 'record')} not sealed yet, the oldest of ${unsealedSince}.${late}`
}
