// Reads of a fuzzed schema, each as a request and as SQL.
import { HOSTILE_NAMES } from './hostile-names.ts'
import type { RandomChoice } from './random-choice.ts'

export const FUZZED_SCHEMA = 'shapes'

export type FuzzedRead = { path: string; sql: string }
export type Column = { name: string; type: string }
export type Key = { name: string; column: string; parent: Relation }
export type Relation = {
  name: string
  columns: Column[]
  primaryKey: string | null
  keys: Key[]
}

export const sqlName = (name: string) => `"${name.replaceAll('"', '""')}"`
export const inSchema = (name: string) => `${FUZZED_SCHEMA}.${sqlName(name)}`
export const urlTable = (name: string) => `/${encodeURIComponent(name)}`
const urlName = (name: string) => encodeURIComponent(`"${name.replace(/[\\"]/g, '\\$&')}"`)

/** Different names for columns. */
export function namesFor(
  random: RandomChoice,
  count: number,
  except: readonly string[] = [],
): string[] {
  return random
    .shuffled(HOSTILE_NAMES)
    .filter((name) => !except.includes(name))
    .slice(0, count)
}

export function readsOfRelation({ name, columns }: Relation, random: RandomChoice): FuzzedRead[] {
  const from = `from ${inSchema(name)} as x`
  const aliases = namesFor(random, columns.length).filter((alias) => !alias.startsWith('?'))
  const renamed = columns.slice(0, aliases.length)
  const { name: filtered } = random.one(columns)
  return [
    { path: urlTable(name), sql: `select * ${from}` },
    {
      path: `${urlTable(name)}?select=${renamed.map((column, index) => `${urlName(aliases[index] ?? '')}:${urlName(column.name)}`).join(',')}`,
      sql: `select ${renamed.map((column, index) => `${sqlName(column.name)} as ${sqlName(aliases[index] ?? '')}`).join(', ') || '*'} ${from}`,
    },
    {
      path: `${urlTable(name)}?${urlName(filtered)}=not.is.null&select=${urlName(filtered)}`,
      sql: `select ${sqlName(filtered)} ${from} where ${sqlName(filtered)} is not null`,
    },
  ]
}

/** Embeds along a foreign key, in both directions. */
export function readsOfKey(
  child: Relation,
  { name: constraint, column, parent }: Key,
  random: RandomChoice,
): FuzzedRead[] {
  const key = sqlName(parent.primaryKey ?? '')
  const [alias = ''] = namesFor(random, 1, ['', ...parent.columns.map(({ name }) => name)]).filter(
    (each) => !each.startsWith('?'),
  )
  if (alias === '' || alias === column || alias === child.columns[0]?.name) return []
  const first = child.columns[0]?.name ?? ''
  const join = `c.${sqlName(column)} = p.${key}`
  return [
    {
      path: `${urlTable(child.name)}?select=${urlName(column)},${urlName(alias)}:${urlName(parent.name)}!${urlName(constraint)}(*)`,
      sql: `select ${sqlName(column)}, (select row_to_json(p.*) from ${inSchema(parent.name)} p where ${join}) as ${sqlName(alias)} from ${inSchema(child.name)} c`,
    },
    {
      path: `${urlTable(parent.name)}?select=${urlName(parent.primaryKey ?? '')},${urlName(alias)}:${urlName(child.name)}!${urlName(constraint)}(${urlName(first)})`,
      sql: `select ${key}, (select coalesce(json_agg(x.*), '[]') from (select ${sqlName(first)} from ${inSchema(child.name)} c where ${join}) x) as ${sqlName(alias)} from ${inSchema(parent.name)} p`,
    },
  ]
}
