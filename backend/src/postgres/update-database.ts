// Brings a database to the platform and the migrations of this version.
import type pg from 'pg'
import { GuardedClient } from './guarded-client.ts'
import { applyMigrationFiles, pendingMigrations } from './migrations.ts'
import {
  applyPlatformFiles,
  pendingPlatformFiles,
  PREPARE_LOCK,
  setPasswords,
  type PlatformSettings,
} from './platform.ts'

export type DatabaseUpdate = Omit<PlatformSettings, 'folder'> & {
  /** Folder with the platform's SQL files. */
  platform: string
  /** Folder with the product's migrations. */
  migrations: string
  /** Awaited before the first change to a database that an earlier version used. */
  beforeChange?(pending: string[]): Promise<void>
}

/**
 * Applies what is missing in one transaction, so that a failure leaves the database as the earlier version left it.
 * Safe for concurrent starts.
 * @returns the names of the files just applied
 * @throws for a database of a later version, which is left unchanged
 */
export async function updateDatabase(update: DatabaseUpdate): Promise<string[]> {
  const client = new GuardedClient({ connectionString: update.url, application_name: 'prepare' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [PREPARE_LOCK])
    // Read first: a database of a later version is to be refused for its migrations, which the message can name.
    const migrations = await pendingMigrations(client, update.migrations)
    const platform = await pendingPlatformFiles(client, update.platform)
    const pending = [...platform.map(({ name }) => name), ...migrations.map(({ file }) => file)]
    if (pending.length && (await isInUse(client))) await update.beforeChange?.(pending)
    await client.query('begin')
    await applyPlatformFiles(client, platform)
    await applyMigrationFiles(client, migrations)
    await setPasswords(client, update)
    await client.query('commit')
    return pending
  } finally {
    await client.end()
  }
}

async function isInUse(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select where to_regclass('supabase_migrations.schema_migrations') is not null`,
  )
  return Boolean(rowCount)
}
