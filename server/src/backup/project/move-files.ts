// The files of a restore into a project. Its storage service writes their rows itself, so ours wait in a table until the bytes are
// there, which also says after an interruption what is left to do.
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import type { ByteSource } from '../archive/byte-sink.ts'
import { BackupError } from '../archive/errors.ts'
import { PRODUCT_SCHEMAS } from '../database/list-tables.ts'
import type { ProjectStorage } from './project-storage.ts'

/** Where the rows of files wait. */
export const WAITING = 'restore_state.objects'
const AT_ONCE = 4
/** What the buckets of the product allow, and more. */
const MAX_BYTES = 50 * 1024 * 1024

type Waiting = {
  bucket: string
  name: string
  type: string | null
  cacheControl: string | null
  own: unknown
  uploaded: boolean
}

/**
 * In the transaction that loads the rows, after the migrations. While files arrive, the product's triggers on them sleep: to them the
 * files would be new, count towards their owners' quota and belong to nobody.
 */
export async function putTriggersToSleep(client: GuardedClient): Promise<void> {
  await client.query(
    `create table restore_state.asleep as
     select distinct pg_get_functiondef(p.oid) as definition,
       format('create or replace function %I.%I() returns trigger language plpgsql as ', fn.nspname, p.proname)
         || '$sleep$ begin return case tg_op when ''DELETE'' then old else new end; end $sleep$' as sleeping
     from pg_trigger t
     join pg_proc p on p.oid = t.tgfoid
     join pg_namespace fn on fn.oid = p.pronamespace
     join pg_class c on c.oid = t.tgrelid
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'storage' and fn.nspname = any ($1)`,
    [PRODUCT_SCHEMAS],
  )
  await runEach(client, 'sleeping')
}

/** In the last transaction: the rows get their owners and dates, and the triggers go on. */
export async function finishFiles(client: GuardedClient): Promise<void> {
  await client.query(
    `update storage.objects o
     set owner = m.owner, owner_id = m.owner_id, created_at = m.created_at, last_accessed_at = m.last_accessed_at
     from ${WAITING} m where m.uploaded and o.bucket_id = m.bucket_id and o.name = m.name`,
  )
  await runEach(client, 'definition')
}

async function runEach(client: GuardedClient, column: 'sleeping' | 'definition') {
  const { rows } = await client.query<{ statement: string }>(
    `select ${column} as statement from restore_state.asleep`,
  )
  for (const { statement } of rows) await client.query(statement)
}

/** In the transaction that loads the rows, before they come. */
export async function createWaiting(client: GuardedClient): Promise<void> {
  await client.query(
    `create table ${WAITING} (
       version text primary key, bucket_id text not null, name text not null, owner uuid, owner_id text,
       created_at timestamptz, last_accessed_at timestamptz, metadata jsonb, user_metadata jsonb,
       uploaded boolean not null default false
     )`,
  )
}

/** Uploads files under the names that their rows have; those of an earlier run are passed over. */
export function createFileMover(client: GuardedClient, storage: ProjectStorage) {
  const moving = new Set<Promise<void>>()
  let failure: Error | null = null

  async function find(version: string): Promise<Waiting | undefined> {
    const { rows } = await client.query<Waiting>(
      `select bucket_id as bucket, name, metadata ->> 'mimetype' as type, metadata ->> 'cacheControl' as "cacheControl",
         user_metadata as own, uploaded
       from ${WAITING} where version = $1`,
      [version],
    )
    return rows[0]
  }

  async function move(version: string, file: Waiting, bytes: Buffer) {
    await storage.upload(file, file, bytes)
    const { rowCount } = await client.query(
      `update ${WAITING} m set uploaded = true
       where version = $1 and exists (select from storage.objects o where o.bucket_id = m.bucket_id and o.name = m.name)`,
      [version],
    )
    if (!rowCount)
      throw new BackupError(
        `The file went to ${storage.url}, and the database does not know of it: SUPABASE_URL and the database must be of one project.`,
      )
  }

  return {
    async store(version: string, size: number, body: ByteSource): Promise<void> {
      if (failure) throw failure
      const file = await find(version)
      if (size > MAX_BYTES)
        throw new BackupError(`The file ${file?.name ?? version} is larger than a project takes.`)
      const chunks: Buffer[] = []
      // Copied, because the reader uses its buffers again.
      for await (const chunk of body) chunks.push(Buffer.from(chunk))
      if (!file || file.uploaded) return
      const task: Promise<void> = move(version, file, Buffer.concat(chunks))
        .catch((error: Error) => void (failure ??= error))
        .finally(() => moving.delete(task))
      moving.add(task)
      if (moving.size >= AT_ONCE) await Promise.race(moving)
    },
    async withdraw(version: string): Promise<void> {
      await Promise.all(moving)
      const file = await find(version)
      if (file) await storage.remove(file)
      await client.query(`update ${WAITING} set uploaded = false where version = $1`, [version])
    },
    /** Whatever becomes of the restore: what was begun is noted. */
    settle: () => Promise.all(moving),
    /** @throws what a file failed with that was uploaded in the background */
    async finish(): Promise<void> {
      await Promise.all(moving)
      if (failure) throw failure
    },
  }
}
