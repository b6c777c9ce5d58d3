import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError, withoutRows } from './archive/errors.ts'
import { isOfProduct, listTables } from './database/list-tables.ts'
import { openSnapshot } from './database/snapshot.ts'
import { filesOf, openDatabaseOf } from './installation.ts'
import { backupName, type Place } from './places/place.ts'
import type { Progress } from './progress.ts'
import { isProject } from './project/check-project.ts'
import { moves } from './project/moved-tables.ts'
import { openProjectStorage } from './project/project-storage.ts'
import { readSecrets } from './secrets.ts'
import type { Settings } from '../settings.ts'
import { writeBackup, type BackupResult, type BackupSource } from './write-backup.ts'

export type MadeBackup = BackupResult & { name: string; address: string }

export type BackupOptions = {
  progress: Progress
  /** Ends the backup and leaves nothing of it. */
  signal?: AbortSignal
  /** False leaves the files out. */
  withFiles?: boolean
  /** Lets the admins' dashboard know of it for two days. */
  tellsAdmins?: boolean
  now?: () => Date
}

/** Backs up the installation that the settings name, while it runs or not. */
export async function backUpInstallation(
  settings: Settings,
  place: Place,
  options: BackupOptions,
): Promise<MadeBackup> {
  const database = await openDatabaseOf(settings)
  try {
    const secrets = await readSecrets(settings.DATA_DIR)
    const client = await openSnapshot(database.url, options.signal)
    try {
      const source = (await isProject(client))
        ? await projectSource(client, settings, options.signal)
        : await installationSource(client, secrets, options.withFiles === false ? null : settings)
      const made = await keepBackup(source, place, settings.BACKUP_PASSPHRASE, options)
      if (options.tellsAdmins) await tellAdmins(client)
      return made
    } finally {
      await client.end().catch(() => undefined)
    }
  } finally {
    await database.stop()
  }
}

async function installationSource(
  client: GuardedClient,
  secrets: Map<string, Buffer>,
  filesIn: Settings | null,
): Promise<BackupSource> {
  const tables = await listTables(client)
  if (!tables.some(({ schema }) => schema === 'auth')) throw nothingThere()
  return { kind: 'installation', client, tables, files: filesIn && filesOf(filesIn), secrets }
}

// The keys of the services are the project's.
async function projectSource(
  client: GuardedClient,
  settings: Settings,
  signal: AbortSignal | undefined,
): Promise<BackupSource> {
  const tables = (await listTables(client)).filter(moves)
  if (!tables.some(isOfProduct)) throw nothingThere()
  const storage = openProjectStorage(settings, signal)
  await storage.check()
  return { kind: 'project', client, tables, files: storage.files, secrets: new Map() }
}

const nothingThere = () =>
  new BackupError('There is no installation in this database yet: nothing to back up.')

/** Writes a backup to `place`: all of it or, after any failure, nothing. */
export async function keepBackup(
  source: BackupSource,
  place: Place,
  passphrase: string | undefined,
  { progress, signal, now = () => new Date() }: BackupOptions,
): Promise<MadeBackup> {
  const name = await freeName(
    place,
    now(),
    await installationId(source.client),
    Boolean(passphrase),
  )
  const draft = await place.create(name)
  try {
    const result = await writeBackup(
      source,
      {
        async write(bytes) {
          signal?.throwIfAborted()
          await draft.write(bytes)
        },
      },
      passphrase,
      progress,
    )
    await draft.finish()
    return { ...result, name, address: place.addressOf(name) }
  } catch (error) {
    await draft.discard()
    signal?.throwIfAborted()
    if (error instanceof BackupError) throw error
    throw new BackupError(`The backup failed: ${withoutRows(error) ?? (error as Error).message}.`, {
      cause: error,
    })
  }
}

// The backup is good, whatever becomes of this: an older database does not have the function.
async function tellAdmins(client: GuardedClient) {
  const parts = [{ part: 'backup', is_on: true, problems: 0 }]
  await client.query('rollback')
  await client
    .query(`select public.report_system_state($1), public.report_system_check('backup', '{}')`, [
      JSON.stringify(parts),
    ])
    .catch(() => undefined)
}

// Of this database in this cluster: what was restored elsewhere, to try something out for instance, is another installation.
async function installationId(client: GuardedClient): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select left(encode(sha256((system_identifier || current_database())::bytea), 'hex'), 8) as id from pg_control_system()`,
  )
  return rows[0]?.id ?? ''
}

// Two backups within a second, or a clock that was set back.
async function freeName(
  place: Place,
  at: Date,
  installation: string,
  isSealed: boolean,
): Promise<string> {
  const taken = new Set(await place.list())
  for (let second = 0; ; second++) {
    const name = backupName(new Date(at.getTime() + second * 1000), installation, isSealed)
    if (!taken.has(name)) return name
  }
}
