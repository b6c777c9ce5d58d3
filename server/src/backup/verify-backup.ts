import { tmpdir } from 'node:os'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { projectFiles } from '../project-files.ts'
import type { ByteSource } from './archive/byte-sink.ts'
import type { Header, Manifest, Tables } from './archive/contents.ts'
import { ArchiveDamagedError, BackupError, withoutRows } from './archive/errors.ts'
import { fullName, isOfProduct, listTables } from './database/list-tables.ts'
import { beginLoad, type Load } from './database/load.ts'
import { openTemporaryDatabase, type TemporaryDatabase } from './database/temporary-database.ts'
import { digestTable } from './database/write-tables.ts'
import { createDiskReserve, type DiskReserve } from './disk-reserve.ts'
import type { Progress } from './progress.ts'
import { interruptible, readBackup } from './read-backup.ts'
import { planLoad, type SchemaFolders } from './restore/plan-load.ts'
import { reasonOf } from './stopped.ts'

export type VerifyOptions = {
  passphrase: string | undefined
  progress: Progress
  /** Ends it. */
  signal?: AbortSignal
  folders?: SchemaFolders
}

/**
 * Restores a backup into a temporary Postgres, reads it back and compares every table and file with what was written. Keys, foreign
 * keys and constraints are checked by Postgres itself.
 * @throws BackupError that says what is wrong with it
 */
export async function verifyBackup(
  source: ByteSource,
  { passphrase, progress, signal, folders = projectFiles }: VerifyOptions,
): Promise<{ header: Header; manifest: Manifest }> {
  let temporary: (TemporaryDatabase & { load: Load; disk: DiskReserve }) | null = null
  let isMoved = false

  // Only for what is a backup that the passphrase opens.
  async function begin(header: Header) {
    const plan = await planLoad(header, folders)
    isMoved = plan.moveTo !== undefined
    const database = await openTemporaryDatabase(signal)
    try {
      const load = await beginLoad(database.client, { header, ...plan })
      temporary = { ...database, load, disk: createDiskReserve(database.folder) }
    } catch (error) {
      await database.close()
      throw error
    }
  }

  try {
    return await readBackup(interruptible(source, signal), passphrase, {
      header: begin,
      secret: async () => undefined,
      rows: async (table, rows) => {
        await temporary?.disk.take(rows.length)
        await temporary?.load.rows(table, rows)
      },
      tables: async (tables) => {
        if (!temporary) return
        await temporary.load.finish(tables)
        await temporary.client.query('commit')
        await compareTables(temporary.client, tables, isMoved)
      },
      file: async (_version, size, body) => {
        for await (const _ of body);
        progress.file(size)
      },
      withdraw: async () => undefined,
    })
  } catch (error) {
    throw explain(await reasonOf(error, signal))
  } finally {
    await (temporary as TemporaryDatabase | null)?.close()
  }
}

/**
 * @param isMoved the services' tables have other columns than those of the backup: only their rows are counted
 * @throws ArchiveDamagedError if the restored rows are not those of the backup
 */
export async function compareTables(
  client: GuardedClient,
  { tables }: Tables,
  isMoved = false,
): Promise<void> {
  const restored = new Map((await listTables(client)).map((table) => [fullName(table), table]))
  for (const { name, rows, digest } of tables) {
    const table = restored.get(name)
    const found = table && (await digestTable(client, table))
    const isCounted = isMoved && table !== undefined && !isOfProduct(table)
    if (found?.rows !== rows || (!isCounted && found.digest !== digest))
      throw new ArchiveDamagedError(`${name} was restored with other rows than it was saved with`)
  }
}

/** What Postgres reports when its disk is full. */
const DISK_FULL = '53100'

function explain(error: unknown): unknown {
  if (error instanceof BackupError) return error
  const { code, message } = error as { code?: string; message: string }
  const hasNoRoom = code === DISK_FULL || code === 'ENOSPC'
  return new BackupError(
    hasNoRoom
      ? `There is no room in ${tmpdir()} for the temporary database that this backup is restored into; TMPDIR names another place.`
      : `This backup could not be restored: ${withoutRows(error) ?? message}.`,
    { cause: error },
  )
}
