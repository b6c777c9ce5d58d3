// The select list and ORDER BY of a resource.
import { isEmpty } from '#rest/plan/plan-aggregates.ts'
import type {
  EmbedNode,
  PlannedColumn,
  PlannedOrder,
  ReadNode,
  SpreadColumn,
} from '#rest/plan/plan-types.ts'
import { fieldSql } from './filter-sql.ts'
import { quoteName } from './sql-names.ts'

export type Selected = { sql: string; aggregated: boolean }

/** Names generated for the statement start with a question mark, which aliases in a request cannot, but columns may. */
function generatedName(name: string, taken: string[]): string {
  return taken.includes(name) ? generatedName(`?${name}`, taken) : quoteName(name)
}

/** The column with the rows of an embedded list. */
export function rowsName({ spread }: EmbedNode): string {
  return generatedName('?rows', spread?.map(({ name, alias }) => alias ?? name) ?? [])
}

/** JSON overhead per key of a row, at most: quotes, colon, comma and spaces. */
const BYTES_PER_KEY = 8

/** An aggregate over rows aliased `r`; Postgres stops with an error once they exceed the size of a response. */
export function boundedSql(node: ReadNode, aggregate: string): string {
  const names = shownNames(node)
  const overhead = names.reduce((sum, name) => sum + Buffer.byteLength(name) + BYTES_PER_KEY, 2)
  return `case when rest.answer_bytes(pg_column_size(r.*) + ${overhead}) is not null then ${aggregate} end`
}

export function selectList(node: ReadNode, grouped: boolean): Selected[] {
  const own = node.columns.map((column) => ({
    sql: columnSql(column, node.alias),
    aggregated: column.aggregate !== null,
  }))
  const embedded = node.embeds.flatMap((embed): Selected[] => {
    if (embed.spread) return embed.spread.map((column) => spreadSql(column, embed, grouped))
    if (isEmpty(embed.node)) return []
    const value = embeddedSql(embed)
    const sql = grouped ? groupable(value, embed.name) : `${value} as ${quoteName(embed.name)}`
    return [{ sql, aggregated: false }]
  })
  return [...own, ...embedded]
}

/** json has no equality operator, so GROUP BY needs jsonb. */
function groupable(sql: string, name: string): string {
  return `(${sql})::jsonb as ${quoteName(name)}`
}

function columnSql(
  { field, cast, aggregate, aggregateCast, alias }: PlannedColumn,
  table: string,
): string {
  let sql = fieldSql(field, table)
  if (aggregate === null && cast === null && alias === null) return sql
  if (aggregate !== null && field.name === '*') sql = '*'
  // The count(*) of a spread is computed by its parent, over one value per row.
  if (aggregate === null && field.name === '*') sql = '1'
  if (cast !== null) sql = `cast(${sql} as ${cast})`
  if (aggregate !== null) sql = `${aggregate}(${sql})`
  if (aggregateCast !== null) sql = `cast(${sql} as ${aggregateCast})`
  return `${sql} as ${quoteName(alias ?? aggregate ?? field.name)}`
}

function spreadSql(
  { name, isEmbedded, aggregate, aggregateCast, alias }: SpreadColumn,
  embed: EmbedNode,
  grouped: boolean,
): Selected {
  let sql = `${embed.alias}.${quoteName(name)}`
  if (grouped && isEmbedded) return { sql: groupable(sql, alias ?? name), aggregated: false }
  if (aggregate !== null) sql = `${aggregate}(${sql})`
  if (aggregateCast !== null) sql = `cast(${sql} as ${aggregateCast})`
  const shown = alias === null ? sql : `${sql} as ${quoteName(alias)}`
  return { sql: shown, aggregated: aggregate !== null }
}

function embeddedSql(embed: EmbedNode): string {
  const { alias, toOne, orderFields } = embed
  if (!toOne) return `coalesce(${alias}.${rowsName(embed)}, '[]')`
  if (orderFields.length === 0) return `row_to_json(${alias}.*)`
  const columns = shownNames(embed.node).map((name) => `${alias}.${quoteName(name)}`)
  const row = `select row_to_json(v.*) from (select ${columns.join(', ')}) as v`
  return `case when ${alias}.* is distinct from null then (${row}) end`
}

/** The keys of a resource's row in the response. */
function shownNames({ columns, embeds, table }: ReadNode): string[] {
  const own = columns.flatMap((column) =>
    column.field.name === '*' && column.aggregate === null && column.alias === null
      ? [...table.columns.keys()]
      : [column.alias ?? column.aggregate ?? column.field.name],
  )
  const embedded = embeds.flatMap((embed) => {
    if (embed.spread) return embed.spread.map((column) => column.alias ?? column.name)
    return isEmpty(embed.node) ? [] : [embed.name]
  })
  return [...own, ...embedded]
}

/** Extra columns an embed selects so that its parent can be ordered by them. */
export function orderColumns(embed: EmbedNode | undefined, node: ReadNode): Selected[] {
  if (!embed) return []
  return embed.orderFields.map((field, index) => ({
    sql: `${fieldSql(field, node.alias)} as ${orderName(embed, index)}`,
    aggregated: false,
  }))
}

function orderName({ node }: EmbedNode, index: number): string {
  return generatedName(`?order${index}`, shownNames(node))
}

export function orderSql({ by, direction, nulls }: PlannedOrder, node: ReadNode): string {
  const sql = orderedBy(by, node)
  return `${sql}${direction ? ` ${direction}` : ''}${nulls ? ` nulls ${nulls}` : ''}`
}

function orderedBy(by: PlannedOrder['by'], node: ReadNode): string {
  switch (by.kind) {
    case 'own':
      return fieldSql(by.field, node.alias)
    case 'shown':
      return `${by.embed.alias}.${quoteName(by.name)}`
    case 'related':
      return `${by.embed.alias}.${orderName(by.embed, by.embed.orderFields.indexOf(by.field))}`
  }
}
