// Files and rows cannot be written atomically. A file is registered in storage.leftovers before it is written, and the
// row's trigger removes the entry. Files whose entry remains are orphans and are deleted when due.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { KEEP_FILES_LOCK } from '#postgres/locks.ts'
import type { Storage } from './context.ts'

const GRACE_PERIOD_MS = 60 * 60 * 1000
const BATCH = 200
const STAGED_MAX_AGE_MS = 24 * 60 * 60 * 1000

/** Registers the file of `version` before it is written. Unless its row is, it is deleted after `lifeMs`. */
export async function registerFile(
  { database }: Storage,
  version: string,
  lifeMs = GRACE_PERIOD_MS,
): Promise<void> {
  await database.asService('storage', 'bookkeeping of files').query({
    name: 'storage_register_file',
    text: `insert into storage.leftovers (version, due_at)
           values ($1, now() + $2::float8 * interval '1 millisecond')`,
    values: [version, lifeMs],
  })
}

/** Deletes the file of a rejected row. If that fails, it stays registered and is deleted later. */
export async function discardFile(storage: Storage, version: string): Promise<void> {
  const { database, store, log } = storage
  try {
    await store.remove([version])
  } catch (error) {
    log.warn({ err: error }, 'could not delete the file of a rejected upload; will retry')
    return
  }
  await database.asService('storage', 'bookkeeping of files').query({
    name: 'storage_discard_file',
    text: 'delete from storage.leftovers where version = $1',
    values: [version],
  })
}

/**
 * Deletes due orphans. After a failure they stay registered and are retried, as they are while a backup runs, which still
 * reads the files of its snapshot.
 */
export async function removeOrphans({ database, store, log }: Storage): Promise<void> {
  try {
    let removed: number
    do {
      removed = await database
        .asService('storage', 'bookkeeping of files')
        .transaction(async (query) => {
          const lock = await query({
            name: 'storage_may_delete_files',
            text: 'select where pg_try_advisory_xact_lock_shared($1)',
            values: [KEEP_FILES_LOCK],
          })
          if (!lock.rowCount) return 0
          const { rows } = await query({
            name: 'storage_delete_orphans',
            text: `delete from storage.leftovers where version in (
                     select version from storage.leftovers where due_at <= now()
                     order by due_at limit ${BATCH} for update skip locked)
                   returning version`,
          })
          // Inside the transaction, so that a failure keeps the entries.
          await store.remove(rows.map(({ version }) => String(version)))
          return rows.length
        })
    } while (removed === BATCH)
  } catch (error) {
    log.warn({ err: error }, 'could not delete orphaned files; will retry')
  }
}

/** Deletes staged uploads left behind by a crashed process. */
export async function removeStaleUploads({ stagingDirectory, log }: Storage): Promise<void> {
  try {
    for (const name of await readdir(stagingDirectory)) {
      const path = join(stagingDirectory, name)
      const { mtimeMs } = await stat(path)
      if (mtimeMs < Date.now() - STAGED_MAX_AGE_MS) await rm(path, { force: true })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ err: error }, 'could not delete stale uploads')
  }
}
