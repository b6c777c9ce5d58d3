// Who can embed whom: foreign keys in both directions, through junction tables, through views that show the key
// columns, and functions that take a row and return rows.
import {
  add,
  type Catalog,
  type CatalogKey,
  type CatalogTable,
  type Origins,
} from './build-schema.ts'
import { keyOf, type ColumnPair, type Relationship, type Table } from './schema-types.ts'

/** A table or view that shows all columns of a key, and under which names. */
type Side = { table: CatalogTable; columns: string[]; primaryKey: string[] }
type Link = { key: CatalogKey; unique: boolean; from: Side; to: Side; isSelf: boolean }

export function findRelationships(
  catalog: Catalog,
  exposed: readonly string[],
  origins: Origins,
  tables: Map<string, Table>,
): Map<string, Relationship[]> {
  const byId = new Map(catalog.tables.map((table) => [table.id, table]))
  const viewsOf = viewsByTable(origins)
  const sidesOf = (table: number, columns: number[]): Side[] =>
    [table, ...(viewsOf.get(table) ?? [])].flatMap((id) => {
      const found = byId.get(id)
      if (!found || !exposed.includes(found.schema)) return []
      const names = shownNames(found, id === table ? null : table, columns, origins)
      const primaryKey = tables.get(keyOf(found.schema, found.name))?.primaryKey ?? []
      return names ? [{ table: found, columns: names, primaryKey }] : []
    })
  const links = catalog.keys
    .filter((key) => key.kind === 'f')
    .flatMap((key) => {
      const unique = isUnique(key, catalog.keys)
      const others = sidesOf(key.otherTable ?? 0, key.otherColumns ?? [])
      return sidesOf(key.table, key.columns).flatMap((from) =>
        others.map((to): Link => ({ key, unique, from, to, isSelf: from.table === to.table })),
      )
    })
  const found = new Map<string, Relationship[]>()
  const record = (relationship: Relationship) =>
    add(found, keyOf(relationship.from.schema, relationship.from.name), relationship)
  for (const link of links) bothDirections(link).forEach(record)
  manyToMany(links).forEach(record)
  computed(catalog, byId, exposed).forEach(record)
  return found
}

function viewsByTable(origins: Origins): Map<number, number[]> {
  const views = new Map<number, number[]>()
  for (const [view, columns] of origins) {
    for (const table of new Set([...columns.values()].map((origin) => origin.table)))
      add(views, table, view)
  }
  return views
}

/** Names of the key's columns in `table`; null when a view does not show them all. */
function shownNames(
  table: CatalogTable,
  base: number | null,
  columns: number[],
  origins: Origins,
): string[] | null {
  const numbers = columns.map((column) => {
    if (base === null) return column
    const shown = [...(origins.get(table.id) ?? [])]
    return shown.find(([, origin]) => origin.table === base && origin.column === column)?.[0]
  })
  const names = numbers.map(
    (number) => table.columns?.find((column) => column.number === number)?.name,
  )
  return names.every((name) => name !== undefined) ? names : null
}

function isUnique(key: CatalogKey, keys: CatalogKey[]): boolean {
  const columns = [...key.columns].sort().join()
  return keys.some(
    (other) =>
      other.table === key.table &&
      other.kind !== 'f' &&
      [...other.columns].sort().join() === columns,
  )
}

function bothDirections({ key, unique, from, to, isSelf }: Link): Relationship[] {
  const pairs = from.columns.map((column, index): ColumnPair => [column, to.columns[index] ?? ''])
  const constraint = key.name
  return [
    {
      kind: unique ? 'one-to-one' : 'many-to-one',
      from: nameOf(from.table),
      to: nameOf(to.table),
      isSelf,
      toIsView: to.table.is_view,
      constraint,
      columns: pairs,
    },
    {
      kind: unique ? 'one-to-one' : 'one-to-many',
      from: nameOf(to.table),
      to: nameOf(from.table),
      isSelf,
      toIsView: from.table.is_view,
      constraint,
      columns: pairs.map(([own, other]): ColumnPair => [other, own]),
    },
  ]
}

/** Two keys of one table that both belong to its primary key connect the tables they point to. */
function manyToMany(links: Link[]): Relationship[] {
  const byJunction = new Map<CatalogTable, Link[]>()
  for (const link of links) if (!link.unique) add(byJunction, link.from.table, link)
  return [...byJunction.values()].flatMap((keys) =>
    keys.flatMap((source) =>
      keys
        .filter((target) => target.key !== source.key && inPrimaryKey(source, target))
        .map((target): Relationship => ({
          kind: 'many-to-many',
          from: nameOf(source.to.table),
          to: nameOf(target.to.table),
          isSelf: source.to.table === target.to.table,
          toIsView: target.to.table.is_view,
          junction: {
            ...nameOf(source.from.table),
            sourceConstraint: source.key.name,
            source: pairsToJunction(source),
            targetConstraint: target.key.name,
            target: pairsToJunction(target),
          },
        })),
    ),
  )
}

function inPrimaryKey(source: Link, target: Link): boolean {
  const { primaryKey } = source.from
  return [...source.from.columns, ...target.from.columns].every((column) =>
    primaryKey.includes(column),
  )
}

function pairsToJunction({ from, to }: Link): ColumnPair[] {
  return to.columns.map((column, index): ColumnPair => [column, from.columns[index] ?? ''])
}

function computed(
  { routines }: Catalog,
  byId: Map<number, CatalogTable>,
  exposed: readonly string[],
): Relationship[] {
  return routines.flatMap((routine): Relationship[] => {
    const [parameter, ...more] = routine.parameters
    const from = byId.get(parameter?.table ?? 0)
    const { returnsSchema: schema, returnsName: name } = routine
    if (more.length > 0 || !from || !routine.returnsTable || !schema || !name) return []
    if (!exposed.includes(from.schema)) return []
    return [
      {
        kind: 'computed',
        from: nameOf(from),
        to: { schema, name },
        isSelf: from.schema === schema && from.name === name,
        toIsView: false,
        function: { schema: routine.schema, name: routine.name },
        toOne: !routine.isSet || routine.rows === 1,
      },
    ]
  })
}

function nameOf({ schema, name }: CatalogTable) {
  return { schema, name }
}
