// Finds relationships for embedding: foreign keys in both directions, through junction tables and through views that
// select the key columns, and computed relationships (functions that take a row and return rows).
import type { Catalog, CatalogKey, CatalogTable } from './catalog-types.ts'
import {
  add,
  keyOf,
  type ColumnPair,
  type Relationship,
  type Relationships,
  type Table,
} from './schema-types.ts'
import type { Origins } from './view-columns.ts'

/** A table or view with all columns of a key, and their names there. */
type Side = { table: CatalogTable; columns: string[]; primaryKey: string[] }
type Link = { key: CatalogKey; unique: boolean; from: Side; to: Side; isSelf: boolean }

export function findRelationships(
  catalog: Catalog,
  exposed: readonly string[],
  origins: Origins,
  tables: Map<string, Table>,
): Relationships {
  const byId = new Map(catalog.tables.map((table) => [table.id, table]))
  const viewsOf = viewsByTable(origins)
  const sidesOf = (table: number, columns: number[]): Side[] =>
    [table, ...(viewsOf.get(table) ?? [])].flatMap((id) => {
      const found = byId.get(id)
      if (!found || !exposed.includes(found.schema)) return []
      const primaryKey = tables.get(keyOf(found.schema, found.name))?.primaryKey ?? []
      const shown = shownNames(found, id === table ? null : table, columns, origins)
      return shown.map((names) => ({ table: found, columns: names, primaryKey }))
    })
  const uniqueKeys = uniqueColumns(catalog.keys)
  const links = catalog.keys
    .filter((key) => key.kind === 'f')
    .flatMap((key) => {
      const unique = uniqueKeys.get(key.table)?.has(setOf(key.columns)) ?? false
      const others = sidesOf(key.otherTable ?? 0, key.otherColumns ?? [])
      return sidesOf(key.table, key.columns).flatMap((from) =>
        others.map((to): Link => ({ key, unique, from, to, isSelf: from.table === to.table })),
      )
    })
  const direct = new Map<string, Relationship[]>()
  const record = (relationship: Relationship) =>
    add(direct, keyOf(relationship.from.schema, relationship.from.name), relationship)
  for (const name of referencing(catalog, byId, exposed)) direct.set(name, [])
  for (const link of links) bothDirections(link).forEach(record)
  computed(catalog, byId, exposed).forEach(record)
  const throughJunctions = manyToMany(links)
  return {
    tables: () => direct.keys(),
    direct: (table) => direct.get(table) ?? [],
    of: (table) => [...(direct.get(table) ?? []), ...throughJunctions(table)],
  }
}

/** Tables with a foreign key in either direction, also if the other table is not exposed: an error suggests no other. */
function referencing(
  { keys }: Catalog,
  byId: Map<number, CatalogTable>,
  exposed: readonly string[],
): string[] {
  return keys.flatMap(({ kind, table, otherTable }) =>
    kind === 'f'
      ? [byId.get(table), byId.get(otherTable ?? 0)].flatMap((each) =>
          each && exposed.includes(each.schema) ? [keyOf(each.schema, each.name)] : [],
        )
      : [],
  )
}

function viewsByTable(origins: Origins): Map<number, number[]> {
  const views = new Map<number, number[]>()
  for (const [view, columns] of origins) {
    for (const table of new Set([...columns.values()].map((origin) => origin.table)))
      add(views, table, view)
  }
  return views
}

/** A view that shows key columns many times has at most so many relationships by that key. */
const MOST_COMBINATIONS = 100

/**
 * Names of the key's columns in `table`: none if a view does not have them all, and one list per combination if it
 * shows some of them more than once.
 */
function shownNames(
  table: CatalogTable,
  base: number | null,
  columns: number[],
  origins: Origins,
): string[][] {
  const shown = [...(origins.get(table.id) ?? [])]
  const numbersOf = (column: number) =>
    base === null
      ? [column]
      : shown.flatMap(([number, origin]) =>
          origin.table === base && origin.column === column ? [number] : [],
        )
  const names = new Map(table.columns?.map(({ number, name }) => [number, name]))
  return columns.reduce<string[][]>(
    (combinations, column) =>
      combinations
        .flatMap((before) =>
          numbersOf(column).flatMap((number) => {
            const name = names.get(number)
            return name === undefined ? [] : [[...before, name]]
          }),
        )
        .slice(0, MOST_COMBINATIONS),
    [[]],
  )
}

/** The sets of columns that are a primary key or unique, by table. */
function uniqueColumns(keys: CatalogKey[]): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>()
  for (const { table, kind, columns } of keys) {
    if (kind === 'f') continue
    found.set(table, (found.get(table) ?? new Set()).add(setOf(columns)))
  }
  return found
}

function setOf(columns: number[]): string {
  return [...columns].sort((one, other) => one - other).join()
}

function bothDirections({ key, unique, from, to, isSelf }: Link): Relationship[] {
  const pairs = from.columns.map((column, index): ColumnPair => [column, to.columns[index] ?? ''])
  const [own, other] = [nameOf(from.table), nameOf(to.table)]
  const shared = { constraint: key.name, isSelf }
  const forth = { ...shared, from: own, to: other, toIsView: to.table.is_view, columns: pairs }
  const back = {
    ...shared,
    from: other,
    to: own,
    toIsView: from.table.is_view,
    columns: pairs.map(([here, there]): ColumnPair => [there, here]),
  }
  return unique
    ? [
        { ...forth, kind: 'one-to-one', ownsKey: true },
        { ...back, kind: 'one-to-one', ownsKey: false },
      ]
    : [
        { ...forth, kind: 'many-to-one' },
        { ...back, kind: 'one-to-many' },
      ]
}

/**
 * A junction table has two foreign keys that are both part of its primary key. Found when asked for: with views of all three
 * tables there are as many as the product of their numbers.
 */
function manyToMany(links: Link[]): (table: string) => Relationship[] {
  const byJunction = new Map<CatalogTable, Link[]>()
  const bySource = new Map<string, Link[]>()
  for (const link of links) {
    if (link.unique) continue
    add(byJunction, link.from.table, link)
    add(bySource, keyOf(link.to.table.schema, link.to.table.name), link)
  }
  return (table) =>
    (bySource.get(table) ?? []).flatMap((source) =>
      (byJunction.get(source.from.table) ?? [])
        .filter((target) => target.key !== source.key && inPrimaryKey(source, target))
        .map((target) => throughJunction(source, target)),
    )
}

function throughJunction(source: Link, target: Link): Relationship {
  return {
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
  }
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
