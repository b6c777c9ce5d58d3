import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { appliedMigrations } from 'backend/postgres/migrations.ts'
import { BackupError } from '../archive/errors.ts'
import { PRODUCT_SCHEMAS } from '../database/list-tables.ts'
import { MOVED_TABLES } from './moved-tables.ts'

const OLDEST_POSTGRES = 150_000

/** Whether this is the database of a Supabase project, with services of its own, and none that this program prepared. */
export async function isProject(client: GuardedClient): Promise<boolean> {
  const { rowCount } = await client.query(
    `select where to_regclass('auth.users') is not null and to_regclass('platform.applied_files') is null`,
  )
  return Boolean(rowCount)
}

/** @throws BackupError unless this is a new project, and this login may do there what a restore needs */
export async function checkProject(client: GuardedClient): Promise<void> {
  await requireRights(client)
  if (await isInUse(client))
    throw new BackupError(
      'The project is not empty. A restore overwrites nothing: take a new project, without tables, accounts and files. Nothing was changed.',
    )
}

async function requireRights(client: GuardedClient) {
  const { rows } = await client.query<{ version: number; postgres: string; lacks: string[] }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as postgres,
       array(
         select 'to create schemas' where not has_database_privilege(current_database(), 'create')
         union all
         select 'to read every row' where not exists (
           select from pg_roles where rolname = current_user and (rolbypassrls or rolsuper)
         )
         union all
         select 'to act as the role postgres' where not exists (
           select from pg_roles where rolname = 'postgres' and pg_has_role(oid, 'member')
         )
         union all
         select 'to write into ' || name from unnest($1::text[]) name
         where not coalesce(has_table_privilege(to_regclass(name), 'insert, select'), false)
           or not coalesce(has_table_privilege(to_regclass(name), 'update'), false)
       ) as lacks`,
    [MOVED_TABLES],
  )
  const [found] = rows
  if (!found || found.version < OLDEST_POSTGRES)
    throw new BackupError(
      `The project has Postgres ${found?.postgres ?? ''}, and a restore needs 15 or later. Nothing was changed.`,
    )
  if (found.lacks.length)
    throw new BackupError(
      `The login of the project lacks the right ${found.lacks.join(', and the right ')}: take the connection string of its role postgres. Nothing was changed.`,
    )
}

async function isInUse(client: GuardedClient): Promise<boolean> {
  if ((await appliedMigrations(client)).length > 0) return true
  const { rowCount } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v') and n.nspname = any ($1) and not exists (
       select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
     )
     limit 1`,
    [PRODUCT_SCHEMAS],
  )
  if (rowCount) return true
  for (const table of MOVED_TABLES)
    if ((await client.query(`select from ${table} limit 1`)).rowCount) return true
  return false
}
