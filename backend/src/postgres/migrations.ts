// Applies supabase/migrations as the role `postgres`, recorded in the Supabase CLI's history table, so that
// `supabase db push` and our start agree on what has been applied.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { GuardedClient } from './guarded-client.ts'
import { PREPARE_LOCK } from './platform.ts'

const FILE_NAME = /^(\d{14})_(\w+)\.sql$/

/**
 * Applies the pending migrations in `folder`, oldest first: all of them or, if one fails, none.
 * @param url connects as a superuser or as `postgres`
 * @returns the names of the files just applied
 * @throws if the database has migrations that are missing in `folder`; nothing is applied then
 */
export async function applyMigrations(url: string, folder: string): Promise<string[]> {
  const client = new GuardedClient({ connectionString: url, application_name: 'migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [PREPARE_LOCK])
    const pending = await pendingMigrations(client, folder)
    await client.query('begin')
    await applyMigrationFiles(client, pending)
    await client.query('commit')
    return pending.map(({ file }) => file)
  } finally {
    await client.end()
  }
}

export type Migration = { path: string; file: string; version: string; name: string }

/**
 * The migrations of `folder` that the database does not have yet. Changes nothing.
 * @throws if it has one that is missing in `folder`
 */
export async function pendingMigrations(client: pg.Client, folder: string): Promise<Migration[]> {
  const known = new Set(await appliedMigrations(client))
  const migrations = await listMigrations(folder)
  rejectForeignHistory(known, migrations)
  return migrations.filter(({ version }) => !known.has(version))
}

/** Versions, oldest first. */
export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const table = await client.query(
    `select where to_regclass('supabase_migrations.schema_migrations') is not null`,
  )
  if (!table.rowCount) return []
  const { rows } = await client.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations order by version',
  )
  return rows.map(({ version }) => version)
}

export async function listMigrations(folder: string): Promise<Migration[]> {
  return (await readdir(folder)).sort().flatMap((file) => {
    const [, version, name] = FILE_NAME.exec(file) ?? []
    return version && name ? [{ path: join(folder, file), file, version, name }] : []
  })
}

// As `supabase db push` does: a database from before the baseline, or of a later version, has an unknown schema.
function rejectForeignHistory(known: Set<string>, migrations: Migration[]) {
  const ours = new Set(migrations.map(({ version }) => version))
  const foreign = [...known].filter((version) => !ours.has(version)).sort()
  if (foreign.length === 0) return
  const isOlder = (foreign[0] ?? '') < (migrations[0]?.version ?? '')
  throw new Error(
    `this database was made by ${isOlder ? 'an earlier, unreleased' : 'a later'} version: its history has ` +
      `migration ${foreign[0]}${foreign.length > 1 ? ` and ${foreign.length - 1} more` : ''} that this version does not. ` +
      (isOlder ? 'Start with a new, empty database.' : 'Update, then start again.') +
      ' Nothing was changed.',
  )
}

/** Runs inside the caller's transaction and as the role `postgres`, in the search path that every database here has. */
export async function applyMigrationFiles(
  client: pg.Client,
  migrations: Migration[],
): Promise<void> {
  await client.query('set local role postgres')
  await client.query(`
    set local search_path = "$user", public, extensions;
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (
      version text not null primary key, statements text[], name text
    )`)
  for (const { path, file, version, name } of migrations) {
    const sql = await readFile(path, 'utf8')
    try {
      await client.query(sql)
      await client.query(
        'insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)',
        [version, name, [sql]],
      )
    } catch (cause) {
      throw new Error(`migration ${file} failed: ${(cause as Error).message}`, { cause })
    }
  }
  await client.query('reset role')
}

/** Runs an SQL script, such as a seed, as the role `postgres`. */
export async function runScript(url: string, sql: string): Promise<void> {
  const client = new GuardedClient({ connectionString: url, application_name: 'script' })
  await client.connect()
  try {
    await client.query('set role postgres')
    await client.query(sql)
  } finally {
    await client.end()
  }
}
