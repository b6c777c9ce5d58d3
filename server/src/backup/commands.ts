// `npm run backup` and `npm run restore`: arguments in, one result on standard output, sentences and progress on standard error.
import { stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { BackupError, NoBackupError } from './archive/errors.ts'
import { readArchive } from './places/folder-place.ts'
import { openBackup, openPlace } from './places/open-place.ts'
import { connect } from './database/snapshot.ts'
import { backUpInstallation } from './make-backup.ts'
import { counted, inMegabytes, printProgress } from './progress.ts'
import { interruptible } from './read-backup.ts'
import { isProject } from './project/check-project.ts'
import { restoreInstallation } from './restore/restore-installation.ts'
import { restoreProject } from './restore/restore-project.ts'
import { readTargetUrl } from './restore/target-url.ts'
import { reasonOf } from './stopped.ts'
import { verifyBackup } from './verify-backup.ts'
import type { Manifest } from './archive/contents.ts'
import type { Settings } from '../settings.ts'

const BACKUP_USAGE =
  'Use: npm run backup -- FOLDER (or s3://bucket/folder), or npm run backup -- --verify FILE.'
const RESTORE_USAGE =
  'Use: npm run restore -- FILE, or npm run restore -- FILE --to postgres://… (or --to - to type it) for a database elsewhere.'

export type CommandContext = {
  settings: Settings
  print(line: string): void
  /** Instead of standard input. */
  input?: Readable
  /** Aborted when the person stops the command. */
  signal: AbortSignal
}

export async function backupCommand(args: string[], context: CommandContext): Promise<void> {
  const { values, positionals } = parse(args, BACKUP_USAGE, { verify: { type: 'string' } as const })
  if (values.help) {
    context.print(BACKUP_USAGE)
    return
  }
  const [folder] = positionals
  if (values.verify !== undefined && positionals.length === 0)
    return verifyCommand(String(values.verify), context)
  if (!folder || positionals.length > 1) throw new BackupError(BACKUP_USAGE)
  const { settings, print, signal } = context
  giveWay()
  const { progress, stop } = printProgress()
  try {
    const place = openPlace(absolute(folder), settings, signal)
    const made = await backUpInstallation(settings, place, {
      progress,
      signal,
      tellsAdmins: true,
    })
    process.stderr.write(`${inWords(made.manifest)}, ${inMegabytes(made.bytes)}.\n`)
    warnOfMissing(made.manifest)
    print(made.address)
  } catch (error) {
    throw await reasonOf(error, signal)
  } finally {
    stop()
  }
}

/** The members' requests come first. A Postgres that is started for it inherits it. */
const giveWay = () => setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

async function verifyCommand(file: string, { settings, print, signal }: CommandContext) {
  giveWay()
  const { progress, stop } = printProgress()
  try {
    const source = await openSource(file, settings, signal)
    const passphrase = settings.BACKUP_PASSPHRASE
    const { header, manifest } = await verifyBackup(source, { passphrase, progress, signal })
    warnOfMissing(manifest)
    print(
      `This backup is good: made on ${header.createdAt} by ${header.product} ${header.version}, ${inWords(manifest)}. ` +
        'It was restored into a temporary database, and every table and file is as it was saved.',
    )
  } catch (error) {
    throw named(error, file)
  } finally {
    stop()
  }
}

export async function restoreCommand(args: string[], context: CommandContext): Promise<void> {
  const { values, positionals } = parse(args, RESTORE_USAGE, { to: { type: 'string' } as const })
  if (values.help) {
    context.print(RESTORE_USAGE)
    return
  }
  const [file] = positionals
  if (!file || positionals.length > 1) throw new BackupError(RESTORE_USAGE)
  const { print, signal } = context
  const settings = await elsewhere(context, values.to)
  const { progress, stop } = printProgress()
  try {
    const source = interruptible(await openSource(file, settings, signal), signal)
    const { DATABASE_URL, DATA_DIR, SUPABASE_URL } = settings
    const options = { progress, signal }
    const intoProject = DATABASE_URL !== undefined && (await namesProject(DATABASE_URL))
    const { header, manifest, sealed } = intoProject
      ? await restoreProject(source, settings, DATABASE_URL, options)
      : await restoreInstallation(source, settings, options)
    warnOfMissing(manifest)
    if (sealed)
      process.stderr.write(
        `Their project sealed the password or the second factor of ${counted(sealed, 'account')} with its own key: a new password is ` +
          'chosen by mail, and an admin resets two-step verification.\n',
      )
    if (!header.withFiles)
      process.stderr.write('This backup was made before an update and has no files.\n')
    if (intoProject)
      return print(
        `Restored ${inWords(manifest)} into the project at ${SUPABASE_URL}, as they were on ${header.createdAt}. ` +
          'Everybody signs in again, with the same password. docs/operations.md says what the project still needs (Hosted Supabase).',
      )
    print(
      `Restored ${inWords(manifest)} into ${DATABASE_URL ? 'the database and ' : ''}${DATA_DIR}, as they were on ` +
        `${header.createdAt}. Start it with ${DATABASE_URL ? 'this database as DATABASE_URL and ' : ''}npm start.`,
    )
  } catch (error) {
    throw named(error, file)
  } finally {
    stop()
  }
}

async function namesProject(url: string): Promise<boolean> {
  const client = await connect(url)
  try {
    return await isProject(client)
  } finally {
    await client.end()
  }
}

/** `--to` names the database for this restore, whatever the environment says. */
async function elsewhere({ settings, input }: CommandContext, to: unknown): Promise<Settings> {
  if (typeof to !== 'string') return settings
  return { ...settings, DATABASE_URL: await readTargetUrl(to, input ?? process.stdin) }
}

async function openSource(file: string, settings: Settings, signal: AbortSignal) {
  if (file.includes('://')) {
    const { place, name } = openBackup(file, settings, signal)
    return place.open(name)
  }
  const path = absolute(file)
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) throw new BackupError(`${path} is a folder: name the backup in it.`)
  return readArchive(path)
}

/** What reads a backup does not know where it came from. */
const named = (error: unknown, file: string) =>
  error instanceof NoBackupError ? new NoBackupError(absolute(file)) : error

/** Relative to where the person is, not to the project, which is where npm runs its commands. */
function absolute(path: string): string {
  return path.includes('://') ? path : resolve(process.env.INIT_CWD ?? '.', path)
}

function inWords({ tables, rows, files }: Manifest): string {
  return `${counted(rows, 'row')} in ${counted(tables, 'table')} and ${counted(files.count, 'file')}`
}

function warnOfMissing({ files }: Manifest) {
  if (files.missing.length === 0) return
  process.stderr.write(
    `Gone or damaged when the backup was made: ${counted(files.missing.length, 'file')}. It has all others.\n`,
  )
}

function parse<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  usage: string,
  options: Options,
) {
  const help = { type: 'boolean', short: 'h' } as const
  try {
    return parseArgs({ args, options: { ...options, help }, allowPositionals: true })
  } catch (cause) {
    throw new BackupError(usage, { cause })
  }
}
