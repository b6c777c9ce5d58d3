// Builds the schema that requests are planned with from the rows of the catalog query.
import type { Catalog, CatalogRoutine, CatalogTable } from './catalog-types.ts'
import { findRelationships } from './find-relationships.ts'
import {
  add,
  keyOf,
  type Routine,
  type Schema,
  type Table,
  type TableName,
} from './schema-types.ts'
import { resolveOrigins, type Origin } from './view-columns.ts'

export function buildSchema(catalog: Catalog, exposed: readonly string[], version: number): Schema {
  const origins = resolveOrigins(catalog.views)
  const primaryKeys = new Map(
    catalog.keys.filter(({ kind }) => kind === 'p').map((key) => [key.table, key.columns]),
  )
  const routinesOfRow = new Map<number | null, CatalogRoutine[]>()
  for (const routine of catalog.routines)
    add(routinesOfRow, routine.parameters[0]?.table ?? null, routine)
  const tables = new Map<string, Table>()
  for (const table of catalog.tables) {
    if (!exposed.includes(table.schema)) continue
    tables.set(keyOf(table.schema, table.name), {
      schema: table.schema,
      name: table.name,
      isView: table.is_view,
      description: table.description,
      columns: new Map(
        (table.columns ?? []).map(({ number: _, ...column }) => [column.name, column]),
      ),
      computed: computedFieldsOf(table, routinesOfRow.get(table.id) ?? []),
      primaryKey: primaryKeyOf(table, primaryKeys, origins.get(table.id)),
      insertable: table.insertable,
      updatable: table.updatable,
      deletable: table.deletable,
    })
  }
  const routines = new Map<string, Routine[]>()
  for (const routine of catalog.routines.filter(isCallable))
    add(routines, keyOf(routine.schema, routine.name), toRoutine(routine))
  const roleSettings = new Map<string, Record<string, string>>()
  for (const { role, name, value } of catalog.roleSettings) {
    roleSettings.set(role, { ...roleSettings.get(role), [name]: value })
  }
  return {
    version,
    tables,
    relationships: findRelationships(catalog, exposed, origins, tables),
    routines,
    roleSettings,
    preRequest: catalog.preRequest[0]?.name ?? null,
    description: new Map(catalog.schemas.map(({ name, description }) => [name, description])),
  }
}

const UNNAMED_TYPES = ['json', 'jsonb', 'text', 'xml', 'bytea']

/** Arguments are passed by name, except a whole body to a single unnamed parameter. */
function isCallable({ parameters }: CatalogRoutine): boolean {
  const unnamed = parameters.filter(({ name }) => name === '').length
  return unnamed === 0 || (unnamed === 1 && UNNAMED_TYPES.includes(parameters[0]?.type ?? ''))
}

function toRoutine(routine: CatalogRoutine): Routine {
  return {
    schema: routine.schema,
    name: routine.name,
    description: routine.description,
    parameters: routine.parameters.map(({ table: _, ...parameter }) => parameter),
    returns: {
      kind: routine.isVoid ? 'void' : routine.isRow ? 'row' : 'scalar',
      isRecord: routine.isRecord && !routine.isRow,
      isSet: routine.isSet,
      type: routine.type,
      table:
        routine.returnsTable && routine.returnsSchema && routine.returnsName
          ? { schema: routine.returnsSchema, name: routine.returnsName }
          : null,
      columns: routine.columns,
    },
    volatility: ({ v: 'volatile', s: 'stable', i: 'immutable' } as const)[routine.volatility],
    statementTimeout: routine.statementTimeout,
  }
}

/** Functions that take one row and return one value. On a name conflict, the one in the table's schema wins. */
function computedFieldsOf(table: CatalogTable, ofTable: CatalogRoutine[]): Map<string, TableName> {
  const found = ofTable.filter(({ parameters: [, ...more], isSet, isVoid }) => {
    return more.every((each) => !each.required) && !isSet && !isVoid
  })
  const isOwn = (routine: CatalogRoutine) => Number(routine.schema === table.schema)
  return new Map(
    found
      .sort((one, other) => isOwn(one) - isOwn(other))
      .map(({ schema, name }) => [name, { schema, name }]),
  )
}

/** A view has the primary keys of which it selects all columns. */
function primaryKeyOf(
  table: CatalogTable,
  primaryKeys: Map<number, number[]>,
  origins: Map<number, Origin> = new Map(),
): string[] {
  const name = (number: number) =>
    table.columns?.find((column) => column.number === number)?.name ?? ''
  const own = primaryKeys.get(table.id)
  if (own) return own.map(name)
  const shown = [...origins]
  const bases = new Set(shown.map(([, origin]) => origin.table))
  const keys = [...bases].map((base) =>
    primaryKeys.get(base)?.map((column) => {
      const found = shown.find(([, origin]) => origin.table === base && origin.column === column)
      return found?.[0]
    }),
  )
  const complete = keys.flatMap((key) => (key?.every((column) => column !== undefined) ? key : []))
  return [...new Set(complete)].map(name)
}
