// Bytes and rows are kept by different systems, so one of them is always first. Bytes are noted as leftovers before
// they are written; the row's trigger strikes the note out. What stays noted is removed once due.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Storage } from './service.ts'

const GRACE = '1 hour'
const AT_ONCE = 200
const DRAFT_LIFE_MS = 24 * 60 * 60 * 1000

/** Says that bytes are about to be written as `version`. */
export async function expectBytes({ database }: Storage, version: string): Promise<void> {
  await database.asService('storage', 'bookkeeping of files').query({
    name: 'storage_expect_bytes',
    text: `insert into storage.leftovers (version, due_at) values ($1, now() + interval '${GRACE}')`,
    values: [version],
  })
}

/** Removes the bytes of a version whose row was refused. When that fails as well, they stay noted and go later. */
export async function giveUpBytes(storage: Storage, version: string): Promise<void> {
  const { database, store, log } = storage
  try {
    await store.remove([version])
  } catch (error) {
    log.warn({ err: error }, 'the file of a refused upload could not be removed yet')
    return
  }
  await database.asService('storage', 'bookkeeping of files').query({
    name: 'storage_give_up_bytes',
    text: 'delete from storage.leftovers where version = $1',
    values: [version],
  })
}

/** Removes what is due. A failure waits for the next time: the notes stay. */
export async function removeLeftovers({ database, store, log }: Storage): Promise<void> {
  try {
    let removed: number
    do {
      removed = await database
        .asService('storage', 'bookkeeping of files')
        .transaction(async (query) => {
          const { rows } = await query({
            name: 'storage_take_leftovers',
            text: `delete from storage.leftovers where version in (
                     select version from storage.leftovers where due_at <= now()
                     order by due_at limit ${AT_ONCE} for update skip locked)
                   returning version`,
          })
          // Within the transaction: were the bytes to stay, so would the note.
          await store.remove(rows.map(({ version }) => String(version)))
          return rows.length
        })
    } while (removed === AT_ONCE)
  } catch (error) {
    log.warn({ err: error }, 'leftover files could not be removed yet')
  }
}

/** Removes drafts of a process that died while receiving them. */
export async function removeOldDrafts({ draftDirectory, log }: Storage): Promise<void> {
  try {
    for (const name of await readdir(draftDirectory)) {
      const path = join(draftDirectory, name)
      const { mtimeMs } = await stat(path)
      if (mtimeMs < Date.now() - DRAFT_LIFE_MS) await rm(path, { force: true })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ err: error }, 'old drafts could not be removed')
  }
}
