// What a backup reads from: one transaction that sees the database as it was when the backup began, whatever is written meanwhile.
import { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { KEEP_FILES_LOCK } from 'backend/postgres/locks.ts'
import { BackupError } from '../archive/errors.ts'

/** Held by the one backup that may run. */
const BACKUP_LOCK = 7_240_117

/** Text that is the same on every server: a checksum of it must be. */
const SETTINGS = `
  set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set client_encoding = 'UTF8'; set statement_timeout = 0; set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0; set transaction_timeout = 0`

/** @throws BackupError if another backup is running */
export async function openSnapshot(url: string, signal?: AbortSignal): Promise<GuardedClient> {
  const client = await connect(url, signal)
  try {
    const { rowCount } = await client.query('select where pg_try_advisory_lock($1)', [BACKUP_LOCK])
    if (!rowCount) throw new BackupError('Another backup is running; try again when it is done.')
    // Before the snapshot: a file that its rows name must stay until it was read.
    await client.query('select pg_advisory_lock($1)', [KEEP_FILES_LOCK])
    await client.query('begin transaction isolation level repeatable read read only')
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

/**
 * A connection with the settings that rows are written and read with.
 * @param signal closes it, whatever it is waiting for
 */
export async function connect(url: string, signal?: AbortSignal): Promise<GuardedClient> {
  const client = new GuardedClient({ connectionString: url, application_name: 'backup' })
  try {
    await client.connect()
    signal?.addEventListener('abort', () => void client.end().catch(() => undefined), {
      once: true,
    })
    for (const setting of SETTINGS.split(';')) {
      // A setting that this Postgres does not have yet limits nothing.
      await client.query(setting).catch((error: { code?: string }) => {
        if (error.code !== '42704') throw error
      })
    }
    return client
  } catch (cause) {
    await client.end().catch(() => undefined)
    throw new BackupError(`The database cannot be reached: ${(cause as Error).message}.`, { cause })
  }
}
