import { restErrors } from '#rest/errors.ts'
import type { Field } from '#rest/request/request-types.ts'
import type { Table } from '#rest/schema-cache/schema-types.ts'
import type { PlannedField } from './plan-types.ts'

/**
 * A column of the table, or a computed field. Other names are rejected here, because Postgres would resolve them to any
 * function of that name (`row.pg_sleep`).
 */
export function planField({ name, path }: Field, table: Table): PlannedField {
  const column = table.columns.get(name)
  const computed = column ? undefined : table.computed.get(name)
  if (!column && !computed) throw restErrors.undefinedColumn(table.name, name)
  return columnField(table, name, { path, base: column?.base ?? null, computed: computed ?? null })
}

/** All columns. */
export function starField(table: Table): PlannedField {
  return columnField(table, '*', { path: [], base: null, computed: null })
}

export function columnField(
  { schema, name: tableName }: Table,
  name: string,
  given: Pick<PlannedField, 'path' | 'base' | 'computed'>,
): PlannedField {
  return {
    ...given,
    name,
    of: { schema, name: tableName },
    isJson: given.base === 'json' || given.base === 'jsonb',
    needsVector: false,
  }
}
