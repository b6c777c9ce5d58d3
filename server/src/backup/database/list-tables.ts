import type { GuardedClient } from 'backend/postgres/guarded-client.ts'

export type Table = {
  schema: string
  name: string
  /** Those that a COPY may write; generated ones follow from them. */
  columns: string[]
}

/** Echoes of what tables hold, and the state of this installation's own backups, which another one does not share. */
const LEFT_OUT = ['realtime.messages', 'private.backups']
/** Written by the programs that apply the platform and the migrations. */
const KEPT_BY_UPDATES = ['platform', 'supabase_migrations', 'restore_state']

/** The tables of the product; those of the services are all others. */
export const PRODUCT_SCHEMAS = ['public', 'private', 'archive']

export const isOfProduct = ({ schema }: Pick<Table, 'schema'>) => PRODUCT_SCHEMAS.includes(schema)
export const fullName = ({ schema, name }: Pick<Table, 'schema' | 'name'>) => `${schema}.${name}`

/**
 * Every table whose rows are worth keeping, the services' first and each after those it refers to. Unlogged tables, which a crash
 * empties, are not.
 */
export async function listTables(client: GuardedClient, schemas?: string[]): Promise<Table[]> {
  const { rows } = await client.query<Table & { refers_to: string[] }>(
    `select n.nspname as schema, c.relname as name,
       array(
         select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum
       ) as columns,
       array(
         select distinct tn.nspname || '.' || t.relname
         from pg_constraint f
         join pg_class t on t.oid = f.confrelid
         join pg_namespace tn on tn.oid = t.relnamespace
         where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
       ) as refers_to
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
       and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1)
       and ($2::text[] is null or n.nspname = any ($2))
       and n.nspname || '.' || c.relname <> all ($3)
       and not exists (
         select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
       )
     order by n.nspname = any ($4), n.nspname, c.relname`,
    [KEPT_BY_UPDATES, schemas ?? null, LEFT_OUT, PRODUCT_SCHEMAS],
  )
  return inOrderOfReference(rows).map(({ schema, name, columns }) => ({ schema, name, columns }))
}

// Tables that refer to each other in a circle stay in their order: the product's are loaded without their foreign keys.
function inOrderOfReference<T extends Table & { refers_to: string[] }>(tables: T[]): T[] {
  const byName = new Map(tables.map((table) => [fullName(table), table]))
  const placed = new Set<T>()
  function place(table: T, path: T[]) {
    if (placed.has(table) || path.includes(table)) return
    for (const name of table.refers_to) {
      const target = byName.get(name)
      if (target) place(target, [...path, table])
    }
    placed.add(table)
  }
  tables.forEach((table) => place(table, []))
  return [...placed]
}

export type Sequence = { name: string; last: string; isCalled: boolean }

/** Where the sequences of these schemas stand. */
export async function listSequences(client: GuardedClient, schemas: string[]): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences
     where schemaname = any ($1) order by 1`,
    [schemas],
  )
  const found: Sequence[] = []
  for (const { name } of rows) {
    const state = await client.query<{ last: string; isCalled: boolean }>(
      `select last_value::text as last, is_called as "isCalled" from ${name}`,
    )
    if (state.rows[0]) found.push({ name, ...state.rows[0] })
  }
  return found
}
