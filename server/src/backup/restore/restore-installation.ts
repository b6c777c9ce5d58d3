import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadInstallationKeys } from 'backend/http/installation-keys.ts'
import { startEmbeddedCluster } from 'backend/postgres/embedded-cluster.ts'
import { appliedMigrations } from 'backend/postgres/migrations.ts'
import { updateDatabase } from 'backend/postgres/update-database.ts'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import type { ByteSource } from '../archive/byte-sink.ts'
import type { Header, Manifest } from '../archive/contents.ts'
import { beginLoad, type Load } from '../database/load.ts'
import { connect } from '../database/snapshot.ts'
import { createFileWriter } from '../files/store-files.ts'
import { openStoreOf, type RunningDatabase } from '../installation.ts'
import { createDiskReserve } from '../disk-reserve.ts'
import { makeFolder } from '../places/make-folder.ts'
import type { Progress } from '../progress.ts'
import { countSealed } from '../project/moved-tables.ts'
import { readBackup } from '../read-backup.ts'
import { isSecret, writeSecrets } from '../secrets.ts'
import { reasonOf } from '../stopped.ts'
import { prepareDataDir } from '../../data-folder.ts'
import { projectFiles } from '../../project-files.ts'
import type { Settings } from '../../settings.ts'
import {
  checkDatabase,
  checkFolder,
  notEmpty,
  refuseOtherBackup,
  requireSuperuser,
} from './check-target.ts'
import { withNextStep } from './next-step.ts'
import { planLoad, type SchemaFolders } from './plan-load.ts'
import {
  noteFinished,
  noteFinishedDatabase,
  noteUnfinished,
  noteUnfinishedDatabase,
  readUnfinishedNote,
  unfinishedArchive,
} from './unfinished.ts'

export type Restored = {
  header: Header
  manifest: Manifest
  /** How many accounts cannot sign in as before, because their project sealed what they do it with. */
  sealed: number
}

export type RestoreOptions = {
  progress: Progress
  /** Aborted when the person stops it; the source ends with it. */
  signal?: AbortSignal
  folders?: SchemaFolders
}

/**
 * Restores a backup into the empty installation that the settings name, and brings it to this version.
 * @throws BackupError with nothing changed, or with an installation that says that it is unfinished and with what to do next
 */
export async function restoreInstallation(
  source: ByteSource,
  settings: Settings,
  { progress, signal, folders = projectFiles }: RestoreOptions,
): Promise<Restored> {
  const { DATA_DIR: dataDir, DATABASE_URL } = settings
  const folder = await checkFolder(settings)
  const store = openStoreOf(settings)
  const files = createFileWriter(store, join(dataDir, 'storage', 'drafts'))
  const disk = createDiskReserve(dataDir)
  const secrets = new Map<string, Buffer>()
  let target: Target | null = null
  const known = folder === 'unfinished' ? await readUnfinishedNote(dataDir) : null
  const wasEmpty = known?.wasEmpty ?? folder === 'empty'
  let isBegun = false

  // The database is opened when the keys are known, which come after the header.
  async function begin(header: Header): Promise<Target> {
    if (folder === 'same installation') await refuseOtherKeys(dataDir, secrets)
    const plan = await planLoad(header, folders)
    await makeFolder(dataDir)
    await prepareDataDir(dataDir)
    if (!known) await noteUnfinished(dataDir, header, wasEmpty)
    isBegun = true
    await writeSecrets(dataDir, secrets)
    await files.prepare()
    return openTarget(settings, header, plan, folder === 'unfinished')
  }

  try {
    let header: Header | null = null
    // What is stopped while its database is made ends here: a small archive was read by then.
    const opened = async () => {
      target ??= await begin(header as Header)
      signal?.throwIfAborted()
      return target
    }
    const restored = await readBackup(source, settings.BACKUP_PASSPHRASE, {
      header: async (given) => {
        header = given
        await planLoad(given, folders)
        if (known) refuseOtherBackup(dataDir, given, known)
        if (DATABASE_URL) await checkOutsideDatabase(DATABASE_URL, given)
        isBegun = known !== null
      },
      secret: async (name, content) => {
        if (isSecret(name)) secrets.set(name, content)
      },
      rows: async (table, rows) => {
        const { load } = await opened()
        await disk.take(rows.length)
        progress.rows((await load?.rows(table, rows)) ?? 0)
      },
      tables: async (tables) => {
        const { load, client } = await opened()
        await load?.finish(tables)
        if (load) await client.query('commit')
      },
      file: async (version, size, body) => {
        await disk.take(size)
        await files.store(version, size, body)
        progress.file(size)
      },
      withdraw: files.withdraw,
    })
    await files.finish()
    const { client, url, password } = await opened()
    await updateDatabase({
      url,
      password,
      ...folders,
      keepPostgresPassword: Boolean(DATABASE_URL),
    })
    await noteFinishedDatabase(client)
    await client.query('vacuum analyze')
    const sealed = await countSealed(client)
    await noteFinished(dataDir)
    return { ...restored, sealed }
  } catch (error) {
    const reason = await reasonOf(error, signal)
    throw isBegun ? withNextStep(reason, { dataDir, wasEmpty, hasDatabase: !DATABASE_URL }) : reason
  } finally {
    await (target as Target | null)?.close()
  }
}

type Target = {
  client: GuardedClient
  url: string
  password: string
  /** Null when the rows are there already. */
  load: Load | null
  close(): Promise<void>
}

async function openTarget(
  settings: Settings,
  header: Header,
  plan: Awaited<ReturnType<typeof planLoad>>,
  isContinued: boolean,
): Promise<Target> {
  const { DATA_DIR: dataDir, DATABASE_URL } = settings
  const { databasePassword: password } = await loadInstallationKeys(dataDir)
  const database: RunningDatabase = DATABASE_URL
    ? { url: DATABASE_URL, stop: async () => undefined }
    : await startEmbeddedCluster({ dataDir, password })
  const client = await connect(database.url).catch(async (error: unknown) => {
    await database.stop()
    throw error
  })
  const close = async () => {
    await client.end().catch(() => undefined)
    await database.stop()
  }
  try {
    const isLoaded = await hasRows(client, header, !DATABASE_URL && isContinued)
    const load = isLoaded
      ? null
      : await beginLoad(client, { header, ...plan, publicUrl: publicUrl(header, settings) })
    if (load) await noteUnfinishedDatabase(client, header)
    return { client, url: database.url, password, load, close }
  } catch (error) {
    await close()
    throw error
  }
}

// Of a project's content, whose pictures lie elsewhere.
function publicUrl({ source }: Header, { SITE_URL, PORT }: Settings) {
  return source === 'project' ? (SITE_URL ?? `http://localhost:${PORT}`) : undefined
}

// Before anything is written, also into the folder.
async function checkOutsideDatabase(url: string, header: Header) {
  const client = await connect(url)
  try {
    await requireSuperuser(client)
    await checkDatabase(client, header)
  } finally {
    await client.end()
  }
}

// Stopped between its last two steps, a restore leaves a database that is complete in a folder that is not.
async function hasRows(client: GuardedClient, header: Header, mayBeComplete: boolean) {
  const isComplete =
    mayBeComplete &&
    (await unfinishedArchive(client)) === null &&
    (await appliedMigrations(client)).length > 0
  return isComplete || checkDatabase(client, header)
}

async function refuseOtherKeys(dataDir: string, secrets: Map<string, Buffer>) {
  const ours = await readFile(join(dataDir, 'keys.json'))
  const theirs = secrets.get('keys.json')
  if (!theirs || !ours.equals(theirs)) throw notEmpty(dataDir)
}
