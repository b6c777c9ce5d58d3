// Adds to a database what hosted Supabase has built in, from the files in backend/platform. Each file runs once, as the
// superuser and in one transaction. A file that changed after it was applied is an error, because the database would
// no longer match it.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { GuardedClient } from './guarded-client.ts'
import { SERVICE_ROLES } from './database.ts'

const LOGINS = ['postgres', 'authenticator', ...Object.values(SERVICE_ROLES)]
/** Serializes processes that start at the same time on one database. */
export const PREPARE_LOCK = 7_240_116

export type PlatformSettings = {
  /** Connects as a superuser. */
  url: string
  /** Folder with the platform's SQL files. */
  folder: string
  /** Password of the services' logins. */
  password: string
  /** For an external database: leaves the password of its `postgres` login alone. */
  keepPostgresPassword?: boolean
}

/** Applies missing files and sets the services' passwords. Idempotent and safe for concurrent starts. */
export async function preparePlatform(settings: PlatformSettings): Promise<void> {
  const client = new GuardedClient({ connectionString: settings.url, application_name: 'prepare' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [PREPARE_LOCK])
    await applyFiles(client, settings.folder)
    await setPasswords(client, settings)
  } finally {
    await client.end()
  }
}

async function applyFiles(client: pg.Client, folder: string) {
  await client.query(`
    create schema if not exists platform;
    create table if not exists platform.applied_files (
      name text primary key, checksum text not null, applied_at timestamptz not null default now()
    )`)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from platform.applied_files',
  )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.sql')).sort()) {
    const sql = await readFile(join(folder, name), 'utf8')
    const checksum = createHash('sha256').update(sql).digest('hex')
    const known = applied.get(name)
    if (known === checksum) continue
    if (known) throw new Error(`platform file ${name} was changed after this database applied it`)
    await applyFile(client, name, sql, checksum)
  }
}

async function applyFile(client: pg.Client, name: string, sql: string, checksum: string) {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('reset role')
    await client.query('insert into platform.applied_files (name, checksum) values ($1, $2)', [
      name,
      checksum,
    ])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`platform file ${name} failed: ${(cause as Error).message}`, { cause })
  }
}

async function setPasswords(client: pg.Client, settings: PlatformSettings) {
  for (const login of LOGINS) {
    if (login === 'postgres' && settings.keepPostgresPassword) continue
    await client.query(
      `alter role ${client.escapeIdentifier(login)} password ${client.escapeLiteral(settings.password)}`,
    )
  }
}
