// A restore into a Supabase project: rows as its role postgres may write them, files through its storage service. The services
// and their keys are the project's own.
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { applyMigrationFiles, pendingMigrations } from 'backend/postgres/migrations.ts'
import type { ByteSource } from '../archive/byte-sink.ts'
import type { Header } from '../archive/contents.ts'
import { BackupError } from '../archive/errors.ts'
import { beginLoad, type Load } from '../database/load.ts'
import { connect } from '../database/snapshot.ts'
import { checkProject } from '../project/check-project.ts'
import {
  createFileMover,
  createWaiting,
  finishFiles,
  putTriggersToSleep,
  WAITING,
} from '../project/move-files.ts'
import { countSealed, MOVED_TABLES, OBJECTS } from '../project/moved-tables.ts'
import { openProjectStorage } from '../project/project-storage.ts'
import { readBackup } from '../read-backup.ts'
import { reasonOf } from '../stopped.ts'
import { projectFiles } from '../../project-files.ts'
import type { Settings } from '../../settings.ts'
import { otherUnfinished } from './check-target.ts'
import { planLoad } from './plan-load.ts'
import type { Restored, RestoreOptions } from './restore-installation.ts'
import {
  archiveId,
  noteFinishedDatabase,
  noteUnfinishedDatabase,
  unfinishedArchive,
} from './unfinished.ts'

/**
 * Restores a backup into a new project, and brings it to this version.
 * @param url of its database
 * @throws BackupError with nothing changed, or with a project in which the same command goes on
 */
export async function restoreProject(
  source: ByteSource,
  settings: Settings,
  url: string,
  { progress, signal, folders = projectFiles }: RestoreOptions,
): Promise<Restored> {
  const storage = openProjectStorage(settings)
  const client = await connect(url)
  const files = createFileMover(client, storage)
  let load: Load | null = null
  let hasAllRows = false
  try {
    const restored = await readBackup(source, settings.BACKUP_PASSPHRASE, {
      header: async (header) => {
        const { migrations } = await planLoad(header, folders)
        await storage.check()
        hasAllRows = await hasRows(client, header)
        if (hasAllRows) return
        const plan = { header, platform: null, migrations, moveTo, publicUrl: storage.url }
        load = await beginLoad(client, plan)
        await noteUnfinishedDatabase(client, header)
        await createWaiting(client)
      },
      secret: async () => undefined,
      rows: async (table, rows) => {
        progress.rows((await load?.rows(table, rows)) ?? 0)
      },
      tables: async (tables) => {
        if (!load) return
        await load.finish(tables)
        await putTriggersToSleep(client)
        await client.query('commit')
        hasAllRows = true
      },
      file: async (version, size, body) => {
        await files.store(version, size, body)
        progress.file(size)
      },
      withdraw: files.withdraw,
    })
    await files.finish()
    await goIntoOperation(client, folders.migrations)
    return { ...restored, sealed: await countSealed(client) }
  } catch (error) {
    const reason = await reasonOf(error, signal)
    throw signal?.aborted ? stopped(reason, hasAllRows) : explain(reason)
  } finally {
    await files.settle()
    await client.end().catch(() => undefined)
  }
}

function moveTo(table: string): string | null {
  if (!MOVED_TABLES.includes(table)) return null
  return table === OBJECTS ? WAITING : table
}

async function hasRows(client: GuardedClient, header: Header): Promise<boolean> {
  const archive = await unfinishedArchive(client)
  if (archive === archiveId(header)) return true
  if (archive !== null) throw otherUnfinished()
  await checkProject(client)
  return false
}

async function goIntoOperation(client: GuardedClient, migrations: string) {
  await client.query('begin')
  await finishFiles(client)
  await applyMigrationFiles(client, await pendingMigrations(client, migrations))
  await noteFinishedDatabase(client)
  await client.query('commit')
  await client.query('analyze')
}

// Before all rows are there, none are.
function stopped(reason: unknown, hasAllRows: boolean): BackupError {
  const purpose = hasAllRows ? 'to go on' : 'to begin anew'
  return new BackupError(`${(reason as Error).message} Run the same command again ${purpose}.`, {
    cause: reason,
  })
}

/** What Postgres says when a right is missing. */
const NO_RIGHT = '42501'

function explain(error: unknown): unknown {
  const { code, message } = error as { code?: string; message: string }
  if (code !== NO_RIGHT) return error
  return new BackupError(
    `The project refuses what a restore needs: ${message}. Nothing of this step was kept.`,
    {
      cause: error,
    },
  )
}
