// Applies supabase/migrations as the role `postgres`, recorded in the Supabase CLI's history table, so that
// `supabase db push` and our start agree on what has been applied.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { GuardedClient } from './guarded-client.ts'
import { PREPARE_LOCK } from './platform.ts'

const FILE_NAME = /^(\d{14})_(\w+)\.sql$/

/**
 * Reads the database's history and changes nothing.
 * @throws if the database has migrations that are missing in `folder`
 */
export async function checkHistory(url: string, folder: string): Promise<void> {
  const client = new GuardedClient({ connectionString: url, application_name: 'migrate' })
  await client.connect()
  try {
    const table = await client.query(
      `select where to_regclass('supabase_migrations.schema_migrations') is not null`,
    )
    if (table.rowCount)
      rejectForeignHistory(await appliedVersions(client), await listMigrations(folder))
  } finally {
    await client.end()
  }
}

/**
 * Applies the pending migrations in `folder`, oldest first, each in its own transaction.
 * @param url connects as a superuser or as `postgres`
 * @returns the names of the files just applied
 * @throws if the database has migrations that are missing in `folder`; nothing is applied then
 */
export async function applyMigrations(url: string, folder: string): Promise<string[]> {
  const client = new GuardedClient({ connectionString: url, application_name: 'migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [PREPARE_LOCK])
    await client.query('set role postgres')
    await client.query(`
      create schema if not exists supabase_migrations;
      create table if not exists supabase_migrations.schema_migrations (
        version text not null primary key, statements text[], name text
      )`)
    const known = await appliedVersions(client)
    const migrations = await listMigrations(folder)
    rejectForeignHistory(known, migrations)
    const applied: string[] = []
    for (const migration of migrations) {
      if (known.has(migration.version)) continue
      await applyMigration(client, migration, await readFile(join(folder, migration.file), 'utf8'))
      applied.push(migration.file)
    }
    return applied
  } finally {
    await client.end()
  }
}

async function appliedVersions(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations',
  )
  return new Set(rows.map(({ version }) => version))
}

type Migration = { file: string; version: string; name: string }

async function listMigrations(folder: string): Promise<Migration[]> {
  return (await readdir(folder)).sort().flatMap((file) => {
    const [, version, name] = FILE_NAME.exec(file) ?? []
    return version && name ? [{ file, version, name }] : []
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

async function applyMigration(client: pg.Client, { file, version, name }: Migration, sql: string) {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query(
      'insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)',
      [version, name, [sql]],
    )
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`migration ${file} failed: ${(cause as Error).message}`, { cause })
  }
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
