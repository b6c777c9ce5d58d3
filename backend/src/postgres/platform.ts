// Adds to a database what hosted Supabase has built in, from the files in backend/platform. Each file runs once, as the
// superuser. A file that changed after it was applied is an error, because the database would no longer match it.
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
    const pending = await pendingPlatformFiles(client, settings.folder)
    await client.query('begin')
    await applyPlatformFiles(client, pending)
    await setPasswords(client, settings)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

export type PlatformFile = { name: string; sql: string; checksum: string }

/**
 * The files of `folder` that the database does not have yet. Changes nothing.
 * @throws if it has one that is missing in `folder` or was changed since
 */
export async function pendingPlatformFiles(
  client: pg.Client,
  folder: string,
): Promise<PlatformFile[]> {
  const files = await listPlatformFiles(folder)
  const known = new Set(files.map(({ name }) => name))
  const applied = await appliedPlatformFiles(client)
  for (const name of applied.keys()) {
    if (!known.has(name)) {
      throw new Error(
        `this database was made by a later version: it has the platform file ${name} that this version does not. ` +
          'Update, then start again. Nothing was changed.',
      )
    }
  }
  return files.filter(({ name, checksum }) => {
    const before = applied.get(name)
    if (before && before !== checksum)
      throw new Error(`platform file ${name} was changed after this database applied it`)
    return !before
  })
}

export async function listPlatformFiles(folder: string): Promise<PlatformFile[]> {
  const names = (await readdir(folder)).filter((each) => each.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Checksums by name. */
export async function appliedPlatformFiles(client: pg.Client): Promise<Map<string, string>> {
  const table = await client.query(`select where to_regclass('platform.applied_files') is not null`)
  if (!table.rowCount) return new Map()
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from platform.applied_files order by name',
  )
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

/**
 * Roles belong to the cluster, PREPARE_LOCK to one database: two that start at once on databases of one cluster change the
 * same roles. Held to the end of the transaction.
 */
const LOCK_ROLES = 'lock table pg_catalog.pg_authid in share row exclusive mode'

/** Runs inside the caller's transaction, as the superuser. */
export async function applyPlatformFiles(client: pg.Client, files: PlatformFile[]): Promise<void> {
  if (files.length) await client.query(LOCK_ROLES)
  await client.query(`
    create schema if not exists platform;
    create table if not exists platform.applied_files (
      name text primary key, checksum text not null, applied_at timestamptz not null default now()
    )`)
  for (const { name, sql, checksum } of files) {
    try {
      await client.query(sql)
      await client.query('reset role')
      await client.query('insert into platform.applied_files (name, checksum) values ($1, $2)', [
        name,
        checksum,
      ])
    } catch (cause) {
      throw new Error(`platform file ${name} failed: ${(cause as Error).message}`, { cause })
    }
  }
}

/** Sets the passwords of the services' logins, inside the caller's transaction. */
export async function setPasswords(
  client: pg.Client,
  settings: Pick<PlatformSettings, 'password' | 'keepPostgresPassword'>,
): Promise<void> {
  await client.query(LOCK_ROLES)
  for (const login of LOGINS) {
    if (login === 'postgres' && settings.keepPostgresPassword) continue
    await client.query(
      `alter role ${client.escapeIdentifier(login)} password ${client.escapeLiteral(settings.password)}`,
    )
  }
}
