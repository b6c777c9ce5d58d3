// Loads rows into a table whose columns may be others than those of the archive: by name, through a temporary table of texts.
import { copyIn } from 'backend/postgres/copy.ts'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError } from '../archive/errors.ts'
import { REPLACED } from '../project/moved-tables.ts'
import { fullName, type Table } from './list-tables.ts'

export type MappedTable = { load(rows: Iterable<Buffer>): Promise<void> }

/**
 * Within a transaction, to whose end it lasts.
 * @param from what the archive has @param into its place here
 */
export async function openMappedTable(
  client: GuardedClient,
  from: Table,
  into: Pick<Table, 'schema' | 'name'>,
): Promise<MappedTable> {
  const quote = (text: string) => client.escapeIdentifier(text)
  const types = await columnTypes(client, into)
  const common = from.columns.filter((column) => types.has(column))
  if (common.length === 0)
    throw new BackupError(`There is no table ${fullName(into)} here. Nothing was changed.`)
  const replaced = REPLACED[fullName(from)] ?? {}
  const values = common.map(
    (column) => `(${replaced[column] ?? quote(column)})::${types.get(column)}`,
  )
  const staged = quote(`moved_${from.schema}_${from.name}`)
  const texts = from.columns.map((column) => `${quote(column)} text`)
  await client.query(`create temp table ${staged} (${texts.join(', ')}) on commit drop`)
  return {
    async load(rows) {
      const columns = from.columns.map(quote).join(', ')
      await copyIn(client, `copy ${staged} (${columns}) from stdin`, rows)
      await client.query(
        `insert into ${quote(into.schema)}.${quote(into.name)} (${common.map(quote).join(', ')})
         select ${values.join(', ')} from ${staged}`,
      )
      await client.query(`truncate ${staged}`)
    },
  }
}

/** Of the columns that may be written. */
async function columnTypes(client: GuardedClient, table: Pick<Table, 'schema' | 'name'>) {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = $2 and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`,
    [table.schema, table.name],
  )
  return new Map(rows.map(({ name, type }) => [name, type]))
}
