// What a resource shows, column by column, and what its rows are ordered by.
import { fieldSql } from './filter-sql.ts'
import { isEmpty } from './plan-aggregates.ts'
import type {
  EmbedNode,
  PlannedColumn,
  PlannedOrder,
  ReadNode,
  SpreadColumn,
} from './plan-types.ts'
import { quoteName } from './sql-names.ts'

export type Selected = { sql: string; aggregated: boolean }

export function selectList(node: ReadNode, grouped: boolean): Selected[] {
  const own = node.columns.map((column) => ({
    sql: columnSql(column, node.alias),
    aggregated: column.aggregate !== null,
  }))
  const embedded = node.embeds.flatMap((embed): Selected[] => {
    if (embed.spread) return embed.spread.map((column) => spreadSql(column, embed))
    if (isEmpty(embed.node)) return []
    // json has no equality, so groups are made of jsonb.
    const value = `${embeddedSql(embed)}${grouped ? '::jsonb' : ''}`
    return [{ sql: `${value} as ${quoteName(embed.name)}`, aggregated: false }]
  })
  return [...own, ...embedded]
}

function columnSql(
  { field, cast, aggregate, aggregateCast, alias }: PlannedColumn,
  table: string,
): string {
  let sql = fieldSql(field, table)
  if (aggregate === null && cast === null && alias === null) return sql
  if (aggregate !== null && field.name === '*') sql = '*'
  // A spread's count(*) is counted outside, over one value per row.
  if (aggregate === null && field.name === '*') sql = '1'
  if (cast !== null) sql = `cast(${sql} as ${cast})`
  if (aggregate !== null) sql = `${aggregate}(${sql})`
  if (aggregateCast !== null) sql = `cast(${sql} as ${aggregateCast})`
  return `${sql} as ${quoteName(alias ?? aggregate ?? field.name)}`
}

function spreadSql(
  { name, aggregate, aggregateCast, alias }: SpreadColumn,
  embed: EmbedNode,
): Selected {
  let sql = `${embed.alias}.${quoteName(name)}`
  if (aggregate !== null) sql = `${aggregate}(${sql})`
  if (aggregateCast !== null) sql = `cast(${sql} as ${aggregateCast})`
  const shown = alias === null ? sql : `${sql} as ${quoteName(alias)}`
  return { sql: shown, aggregated: aggregate !== null }
}

function embeddedSql(embed: EmbedNode): string {
  const { alias, toOne, orderFields } = embed
  if (!toOne) return `coalesce(${alias}.rows, '[]')`
  if (orderFields.length === 0) return `row_to_json(${alias}.*)`
  const columns = shownNames(embed.node).map((name) => `${alias}.${quoteName(name)}`)
  const row = `select row_to_json(v) from (select ${columns.join(', ')}) as v`
  return `case when ${alias} is distinct from null then (${row}) end`
}

/** The keys of a resource's row in the reply. */
function shownNames({ columns, embeds }: ReadNode): string[] {
  const own = columns.map((column) => column.alias ?? column.aggregate ?? column.field.name)
  const embedded = embeds.flatMap((embed) => {
    if (embed.spread) return embed.spread.map((column) => column.alias ?? column.name)
    return isEmpty(embed.node) ? [] : [embed.name]
  })
  return [...own, ...embedded]
}

/** Columns that only order the rows around an embed: its select gives them beside what is shown. */
export function orderColumns(embed: EmbedNode | undefined, node: ReadNode): Selected[] {
  return (embed?.orderFields ?? []).map((field, index) => ({
    sql: `${fieldSql(field, node.alias)} as ${orderName(index)}`,
    aggregated: false,
  }))
}

function orderName(index: number): string {
  return quoteName(`?order${index}`)
}

export function orderSql({ embed, field, direction, nulls }: PlannedOrder, node: ReadNode): string {
  const sql = embed
    ? `${embed.alias}.${orderName(embed.orderFields.indexOf(field))}`
    : fieldSql(field, node.alias)
  return `${sql}${direction ? ` ${direction}` : ''}${nulls ? ` nulls ${nulls}` : ''}`
}
