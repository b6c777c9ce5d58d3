// Rows are loaded into bare tables: triggers would act a second time on what already happened, foreign keys would be checked row by
// row, and indexes grow ten times slower than they are built. All of it takes an owner's rights, no superuser's.
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { fullName, type Table } from './list-tables.ts'

/** For building indexes; the default of 64 MB sorts on disk. */
const BUILD_MEMORY = '256MB'

/** Empties these tables and takes away what hinders loading. */
export async function parkTables(
  client: GuardedClient,
  tables: Table[],
): Promise<{ restore(): Promise<void> }> {
  const names = tables.map(fullName)
  const quoted = tables.map(
    ({ schema, name }) => `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`,
  )
  const foreignKeys = await statements(
    client,
    `select format('alter table %s drop constraint %I', f.conrelid::regclass, f.conname) as take,
       format('alter table %s add constraint %I %s', f.conrelid::regclass, f.conname, pg_get_constraintdef(f.oid)) as put
     from pg_constraint f
     where f.contype = 'f' and f.conparentid = 0 and f.conrelid = any ($1::regclass[]) order by f.conname`,
    quoted,
  )
  const indexes = await statements(
    client,
    `select format('drop index %s', i.indexrelid::regclass) as take, pg_get_indexdef(i.indexrelid) as put
     from pg_index i
     join pg_class c on c.oid = i.indexrelid
     where i.indrelid = any ($1::regclass[]) and not c.relispartition
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
     order by c.relname`,
    quoted,
  )
  const triggers = names.length
    ? quoted.map((table) => ({
        take: `alter table ${table} disable trigger user`,
        put: `alter table ${table} enable trigger user`,
      }))
    : []
  const parts = [...foreignKeys, ...indexes, ...triggers]
  for (const { take } of parts) await client.query(take)
  if (quoted.length) await client.query(`truncate ${quoted.join(', ')}`)
  return {
    async restore() {
      await client.query(`set local maintenance_work_mem = '${BUILD_MEMORY}'`)
      for (const { put } of [...indexes, ...foreignKeys, ...triggers]) await client.query(put)
    },
  }
}

type Statements = { take: string; put: string }

async function statements(
  client: GuardedClient,
  text: string,
  tables: string[],
): Promise<Statements[]> {
  return (await client.query<Statements>(text, [tables])).rows
}
