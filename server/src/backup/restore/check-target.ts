import { readdir } from 'node:fs/promises'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { hasCluster } from 'backend/postgres/embedded-cluster.ts'
import { BackupError } from '../archive/errors.ts'
import type { Settings } from '../../settings.ts'
import { archiveId, isUnfinished, unfinishedArchive, type UnfinishedNote } from './unfinished.ts'
import type { Header } from '../archive/contents.ts'

/** `same installation` has keys, but no database: its files stay, if the backup has the same keys. */
export type FolderState = 'empty' | 'unfinished' | 'same installation'

/** @throws BackupError if the folder holds anything that a restore could damage */
export async function checkFolder({ DATA_DIR, DATABASE_URL }: Settings): Promise<FolderState> {
  const names = await readdir(DATA_DIR).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw new BackupError(`Cannot read ${DATA_DIR}: ${error.message}.`)
  })
  if (names.length === 0) return 'empty'
  if (await isUnfinished(DATA_DIR)) return 'unfinished'
  const isTaken = !names.includes('keys.json') || (!DATABASE_URL && hasCluster(DATA_DIR))
  if (isTaken) throw notEmpty(DATA_DIR)
  return 'same installation'
}

export function notEmpty(folder: string): BackupError {
  return new BackupError(
    `${folder} is not empty. A restore overwrites nothing: set DATA_DIR to a new folder. Nothing was changed.`,
  )
}

/** @throws BackupError unless the folder's unfinished restore is of this backup */
export function refuseOtherBackup(
  folder: string,
  header: Header,
  { archive, backup, wasEmpty }: UnfinishedNote,
): void {
  if (archive === archiveId(header)) return
  const anew = wasEmpty ? `delete ${folder}` : 'set DATA_DIR to a new folder'
  throw new BackupError(
    `${folder} holds an unfinished restore of another backup, made on ${backup}. Run that one again, or ${anew} to restore this ` +
      'one. Nothing was changed.',
  )
}

/**
 * @returns whether the rows of this backup are there already, from a restore that was interrupted while it copied files
 * @throws BackupError if the database is in use
 */
export async function checkDatabase(client: GuardedClient, header: Header): Promise<boolean> {
  const archive = await unfinishedArchive(client)
  if (archive === archiveId(header)) return true
  if (archive !== null) throw otherUnfinished()
  const { rowCount } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       and not exists (
         select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
       )
     limit 1`,
  )
  if (rowCount) {
    throw new BackupError(
      'The database is not empty. A restore overwrites nothing: set DATABASE_URL to a new one. Nothing was changed.',
    )
  }
  return false
}

export const otherUnfinished = () =>
  new BackupError(
    'This database holds an unfinished restore of another backup. Run that one again, or use an empty database. Nothing was changed.',
  )

/** @throws BackupError unless the login may create what the services need */
export async function requireSuperuser(client: GuardedClient): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_roles where rolname = current_user and rolsuper',
  )
  if (!rowCount) {
    throw new BackupError(
      'The login of the database must be a superuser: the services need roles and schemas of their own. Nothing was changed.',
    )
  }
}
