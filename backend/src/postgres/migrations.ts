// Applies a project's supabase/migrations, as the role `postgres` and with the Supabase CLI's own history table, so
// that `supabase db push` and our start agree on what has been applied.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { PREPARE_LOCK } from './platform.ts'

const FILE_NAME = /^(\d{14})_(\w+)\.sql$/

/**
 * Applies the files of `folder` that the database does not know yet, oldest first, each in one transaction.
 * @param url connects as a superuser, or as `postgres` itself
 * @returns the names of the files applied just now
 */
export async function applyMigrations(url: string, folder: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [PREPARE_LOCK])
    await client.query('set role postgres')
    await client.query(`
      create schema if not exists supabase_migrations;
      create table if not exists supabase_migrations.schema_migrations (
        version text not null primary key, statements text[], name text
      )`)
    const { rows } = await client.query<{ version: string }>(
      'select version from supabase_migrations.schema_migrations',
    )
    const known = new Set(rows.map((row) => row.version))
    const applied: string[] = []
    for (const file of (await readdir(folder)).sort()) {
      const [, version, name] = FILE_NAME.exec(file) ?? []
      if (!version || !name || known.has(version)) continue
      await applyMigration(client, {
        file,
        version,
        name,
        sql: await readFile(join(folder, file), 'utf8'),
      })
      applied.push(file)
    }
    return applied
  } finally {
    await client.end()
  }
}

type Migration = { file: string; version: string; name: string; sql: string }

async function applyMigration(client: pg.Client, { file, version, name, sql }: Migration) {
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

/** Runs a SQL script, such as a seed, as the role `postgres`. */
export async function runScript(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'script' })
  await client.connect()
  try {
    await client.query('set role postgres')
    await client.query(sql)
  } finally {
    await client.end()
  }
}
