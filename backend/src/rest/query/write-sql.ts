// Inserts, updates and deletes. The body is passed to Postgres as one JSON parameter and expanded to rows there.
import type { PlannedCondition, RowsPlan, WritePlan } from '#rest/plan/plan-types.ts'
import { conditionSql } from './filter-sql.ts'
import { quoteName, quoteTable, quoteText } from './sql-names.ts'
import type { StatementParameters } from './statement-parameters.ts'

/** A transaction setting that counts the existing rows an upsert updated. */
export const UPDATED_ROWS = 'rest.updated_rows'

export function writeSql(write: WritePlan, parameters: StatementParameters): string {
  const table = quoteTable(write.table)
  const returning = returningSql(write)
  switch (write.kind) {
    case 'delete':
      return `delete from ${table} as t0${whereSql(write.conditions, 't0', parameters)} ${returning}`
    case 'update': {
      const { columns } = write.rows
      // Of a list, the first row counts. An empty body updates nothing, which an UPDATE cannot express.
      if (columns.length === 0)
        return `select ${returnedColumns(write.returning)} from ${table} as t0 where false`
      const set = columns.map(({ name }) => `${quoteName(name)} = body.${quoteName(name)}`)
      return `update ${table} as t0 set ${set.join(', ')} from (${rowsSql(write.rows, parameters)} limit 1) as body${whereSql(write.conditions, 't0', parameters)} ${returning}`
    }
    case 'insert':
      return insertSql(write, table, returning, parameters)
  }
}

function insertSql(
  write: WritePlan & { kind: 'insert' },
  table: string,
  returning: string,
  parameters: StatementParameters,
): string {
  const { rows, conflict, keyConditions } = write
  const names = rows.columns.map(({ name }) => quoteName(name))
  const where = whereSql(keyConditions, 'body', parameters)
  const values = `select ${names.map((name) => `body.${name}`).join(', ')} from (${rowsSql(rows, parameters)}) as body${where}`
  const list = names.length > 0 ? `(${names.join(', ')}) ` : ''
  return `insert into ${table} as t0 ${list}${values}${conflict ? conflictSql(conflict, names) : ''} ${returning}`
}

function conflictSql(
  { columns, merge }: { columns: string[]; merge: boolean },
  names: string[],
): string {
  const target = ` on conflict (${columns.map(quoteName).join(', ')})`
  if (!merge || names.length === 0) return `${target} do nothing`
  const set = names.map((name) => `${name} = excluded.${name}`)
  const count = `set_config('${UPDATED_ROWS}', (coalesce(nullif(current_setting('${UPDATED_ROWS}', true), ''), '0')::int + 1)::text, true)`
  return `${target} do update set ${set.join(', ')} where ${count} is not null`
}

/** The body as rows of the columns it names. */
function rowsSql(
  { value, isArray, columns, useDefaults }: RowsPlan,
  parameters: StatementParameters,
): string {
  if (columns.length === 0 && !isArray) return 'select'
  const body = `${parameters.for(value)}::json`
  if (columns.length === 0) return `select from json_array_elements(${body})`
  const types = columns.map(({ name, type }) => `${quoteName(name)} ${type}`).join(', ')
  const defaults = useDefaults
    ? columns
        .filter((column) => column.default !== null)
        .map((column) => `${quoteText(column.name)}, ${column.default}`)
    : []
  if (defaults.length === 0) {
    const read = isArray ? 'json_to_recordset' : 'json_to_record'
    return `select * from ${read}(${body}) as _(${types})`
  }
  const filled = (row: string) => `jsonb_build_object(${defaults.join(', ')}) || ${row}`
  return isArray
    ? `select _.* from jsonb_array_elements(${body}::jsonb) as element, lateral jsonb_to_record(${filled('element')}) as _(${types})`
    : `select _.* from jsonb_to_record(${filled(`${body}::jsonb`)}) as _(${types})`
}

function whereSql(
  conditions: PlannedCondition[],
  alias: string,
  parameters: StatementParameters,
): string {
  if (conditions.length === 0) return ''
  const sql = conditions.map((condition) =>
    conditionSql(condition, alias, parameters, () => 'true'),
  )
  return ` where ${sql.join(' and ')}`
}

// `returning 1` needs no SELECT privilege on the table.
function returningSql({ returning }: WritePlan): string {
  return `returning ${returnedColumns(returning)}`
}

function returnedColumns(returning: string[]): string {
  if (returning.length === 0) return '1'
  return returning.includes('*') ? 't0.*' : returning.map(column).join(', ')
}

function column(name: string): string {
  return `t0.${quoteName(name)}`
}
