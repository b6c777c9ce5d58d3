// Makes the schema the requests are planned with out of the rows of the catalogue.
import { findRelationships } from './find-relationships.ts'
import { keyOf, type Routine, type Schema, type Table } from './schema-types.ts'
import { viewColumnOrigins, type Origin } from './view-columns.ts'

export type CatalogColumn = {
  number: number
  name: string
  type: string
  nullable: boolean
  default: string | null
  description: string | null
  enumValues: string[] | null
}
export type CatalogTable = {
  id: number
  schema: string
  name: string
  is_view: boolean
  description: string | null
  insertable: boolean
  updatable: boolean
  deletable: boolean
  columns: CatalogColumn[] | null
}
export type CatalogKey = {
  table: number
  name: string
  kind: 'p' | 'u' | 'f'
  columns: number[]
  otherTable: number | null
  otherColumns: number[] | null
}
export type CatalogRoutine = {
  schema: string
  name: string
  description: string | null
  volatility: 'v' | 's' | 'i'
  isSet: boolean
  rows: number
  isVoid: boolean
  isRow: boolean
  returnsTable: boolean
  returnsSchema: string | null
  returnsName: string | null
  statementTimeout: string | null
  parameters: {
    name: string
    type: string
    required: boolean
    variadic: boolean
    table: number | null
  }[]
}
export type Catalog = {
  tables: CatalogTable[]
  keys: CatalogKey[]
  views: { view: number; definition: string }[]
  routines: CatalogRoutine[]
  roleSettings: { role: string; name: string; value: string }[]
  schemas: { name: string; description: string | null }[]
}

/** For each view, the table columns behind its columns, through views over views. */
export type Origins = Map<number, Map<number, Origin>>

export function buildSchema(catalog: Catalog, exposed: readonly string[], version: number): Schema {
  const origins = resolveOrigins(catalog)
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
      primaryKey: primaryKeyOf(table, catalog.keys, origins),
      insertable: table.insertable,
      updatable: table.updatable,
      deletable: table.deletable,
    })
  }
  const routines = new Map<string, Routine[]>()
  for (const routine of catalog.routines)
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
    description: new Map(catalog.schemas.map(({ name, description }) => [name, description])),
  }
}

function toRoutine(routine: CatalogRoutine): Routine {
  return {
    schema: routine.schema,
    name: routine.name,
    description: routine.description,
    parameters: routine.parameters.map(({ table: _, ...parameter }) => parameter),
    returns: {
      kind: routine.isVoid ? 'void' : routine.isRow ? 'row' : 'scalar',
      isSet: routine.isSet,
      table:
        routine.returnsTable && routine.returnsSchema && routine.returnsName
          ? { schema: routine.returnsSchema, name: routine.returnsName }
          : null,
    },
    volatility: ({ v: 'volatile', s: 'stable', i: 'immutable' } as const)[routine.volatility],
    statementTimeout: routine.statementTimeout,
  }
}

function resolveOrigins({ views }: Catalog): Origins {
  const direct = new Map(views.map(({ view, definition }) => [view, viewColumnOrigins(definition)]))
  const follow = (origin: Origin): Origin => {
    const deeper = direct.get(origin.table)?.get(origin.column)
    return deeper ? follow(deeper) : origin
  }
  return new Map(
    [...direct].map(([view, columns]) => [
      view,
      new Map([...columns].map(([number, origin]) => [number, follow(origin)])),
    ]),
  )
}

/** A view has the key of a table when it shows all columns of it. */
function primaryKeyOf(table: CatalogTable, keys: CatalogKey[], origins: Origins): string[] {
  const name = (number: number) =>
    table.columns?.find((column) => column.number === number)?.name ?? ''
  const own = keys.find((key) => key.table === table.id && key.kind === 'p')
  if (own) return own.columns.map(name)
  const shown = [...(origins.get(table.id) ?? [])]
  for (const base of new Set(shown.map(([, origin]) => origin.table))) {
    const key = keys.find((each) => each.table === base && each.kind === 'p')
    const columns = key?.columns.map(
      (column) =>
        shown.find(([, origin]) => origin.table === base && origin.column === column)?.[0],
    )
    if (columns?.every((column) => column !== undefined)) return columns.map(name)
  }
  return []
}

export function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
