// A resource and everything embedded in it as one select. Embedded resources are lateral joins, so each can have its
// own filters, order and range, and be filtered or ordered by in turn.
import { conditionSql, fieldSql } from './filter-sql.ts'
import { callSql } from './call-sql.ts'
import { isEmpty, isGrouped } from './plan-aggregates.ts'
import type {
  EmbedNode,
  PlannedColumn,
  PlannedOrder,
  ReadNode,
  SpreadColumn,
} from './plan-types.ts'
import { quoteName, quoteTable } from './sql-names.ts'
import type { StatementParameters } from './statement-parameters.ts'

/** @param joinTo the embed that `node` belongs to, inside `parent` */
export function readSql(
  node: ReadNode,
  parameters: StatementParameters,
  joinTo?: EmbedNode,
  parent?: ReadNode,
): string {
  const grouped = isGrouped(node)
  const selected = selectList(node, grouped)
  const parts = [
    `select ${selected.map(({ sql }) => sql).join(', ') || '1 as "?"'}`,
    `from ${sourceSql(node, parameters, joinTo, parent)}`,
    ...node.embeds.map((embed) => joinSql(embed, node, parameters)),
  ]
  const conditions = [
    ...(joinTo && parent ? joinConditions(joinTo, parent) : []),
    ...node.conditions.map((condition) =>
      conditionSql(
        condition,
        node.alias,
        parameters,
        ({ embed, negated }) => `${embed.alias} is ${negated ? '' : 'not '}distinct from null`,
      ),
    ),
  ]
  if (conditions.length > 0) parts.push(`where ${conditions.join(' and ')}`)
  if (grouped) {
    const positions = selected.flatMap(({ aggregated }, index) => (aggregated ? [] : [index + 1]))
    if (positions.length > 0) parts.push(`group by ${positions.join(', ')}`)
  }
  if (node.order.length > 0 && !isSpreadList(joinTo)) {
    parts.push(`order by ${node.order.map((order) => orderSql(order, node)).join(', ')}`)
  }
  if (node.limit !== null) parts.push(`limit ${node.limit}`)
  if (node.offset !== null) parts.push(`offset ${parameters.for(node.offset)}::bigint`)
  return parts.join(' ')
}

type Selected = { sql: string; aggregated: boolean }

function selectList(node: ReadNode, grouped: boolean): Selected[] {
  const own = node.columns.map((column) => ({
    sql: columnSql(column, node.alias),
    aggregated: column.aggregate !== null,
  }))
  const embedded = node.embeds.flatMap((embed): Selected[] => {
    if (embed.spread) return embed.spread.map((column) => spreadSql(column, embed))
    if (isEmpty(embed.node)) return []
    const value = embed.toOne
      ? `row_to_json(${embed.alias}.*)`
      : `coalesce(${embed.alias}.rows, '[]')`
    // json has no equality, so groups are made of jsonb.
    return [
      { sql: `${value}${grouped ? '::jsonb' : ''} as ${quoteName(embed.name)}`, aggregated: false },
    ]
  })
  return [...own, ...embedded]
}

function columnSql(
  { field, cast, aggregate, aggregateCast, alias }: PlannedColumn,
  table: string,
): string {
  if (aggregate === null && cast === null && alias === null) return fieldSql(field, table)
  let sql = fieldSql(field, table)
  if (aggregate !== null && field.name === '*') sql = '*'
  // A spread's count(*) is counted outside, over one value per row.
  if (aggregate === null && field.name === '*' && alias !== null) sql = '1'
  if (cast !== null) sql = `cast(${sql} as ${cast})`
  if (aggregate !== null) sql = `${aggregate}(${sql})`
  if (aggregateCast !== null) sql = `cast(${sql} as ${aggregateCast})`
  const name = alias ?? aggregate ?? field.name
  return `${sql} as ${quoteName(name)}`
}

function spreadSql(
  { name, aggregate, aggregateCast, alias }: SpreadColumn,
  embed: EmbedNode,
): Selected {
  let sql = name === '*' ? `${embed.alias}.*` : `${embed.alias}.${quoteName(name)}`
  if (aggregate !== null) sql = `${aggregate}(${sql})`
  if (aggregateCast !== null) sql = `cast(${sql} as ${aggregateCast})`
  const shown = alias === null ? sql : `${sql} as ${quoteName(alias)}`
  return { sql: shown, aggregated: aggregate !== null }
}

function orderSql({ embed, field, direction, nulls }: PlannedOrder, node: ReadNode): string {
  const sql = fieldSql(field, embed ? embed.alias : node.alias)
  return `${sql}${direction ? ` ${direction}` : ''}${nulls ? ` nulls ${nulls}` : ''}`
}

function isSpreadList(embed: EmbedNode | undefined): boolean {
  return embed?.spread != null && !embed.toOne
}

function joinSql(embed: EmbedNode, parent: ReadNode, parameters: StatementParameters): string {
  const kind = embed.inner ? 'join' : 'left join'
  const inner = readSql(embed.node, parameters, embed, parent)
  const { alias } = embed
  if (embed.toOne) return `${kind} lateral (${inner}) as ${alias} on true`
  const rows = isSpreadList(embed)
    ? spreadRows(embed, inner)
    : `select json_agg(r) as rows from (${inner}) as r`
  return `${kind} lateral (${rows}) as ${alias} on ${embed.inner ? `${alias}.rows is not null` : 'true'}`
}

/** Each column of a spread to-many resource becomes a list. */
function spreadRows({ spread, node }: EmbedNode, inner: string): string {
  const columns = (spread ?? []).map(
    ({ name, alias }) =>
      `coalesce(json_agg(r.${quoteName(name)}), '[]') as ${quoteName(alias ?? name)}`,
  )
  const ordered = node.order.length > 0 ? orderedInner(node, inner) : inner
  return `select ${['json_agg(1) as rows', ...columns].join(', ')} from (${ordered}) as r`
}

function orderedInner(node: ReadNode, inner: string): string {
  const order = ` order by ${node.order.map((term) => orderSql(term, node)).join(', ')}`
  const end = /(?: limit \d+)?(?: offset \$\d+::bigint)?$/.exec(inner)?.index ?? inner.length
  return inner.slice(0, end) + order + inner.slice(end)
}

/** The table or function the rows come from, with the junction table of a many-to-many embed. */
export function sourceSql(
  node: ReadNode,
  parameters: StatementParameters,
  joinTo?: EmbedNode,
  parent?: ReadNode,
): string {
  const { source, alias } = node
  if (joinTo?.relationship.kind === 'computed' && parent) {
    const { function: name, from } = joinTo.relationship
    const row =
      parent.source.kind === 'table' ? parent.alias : `${parent.alias}::${quoteTable(from)}`
    return `${quoteTable(name)}(${row}) as ${alias}`
  }
  if (source.kind === 'part') return `${source.name} as ${alias}`
  if (source.kind === 'call') return callSql(source.call, alias, parameters)
  const from = `${quoteTable(source.name)} as ${alias}`
  return joinTo?.relationship.kind === 'many-to-many'
    ? `${from}, ${quoteTable(joinTo.relationship.junction)} as j${alias}`
    : from
}

export function joinConditions({ relationship, node }: EmbedNode, parent: ReadNode): string[] {
  if (relationship.kind === 'computed') return []
  const equals = (one: string, oneColumn: string, other: string, otherColumn: string) =>
    `${one}.${quoteName(oneColumn)} = ${other}.${quoteName(otherColumn)}`
  if (relationship.kind !== 'many-to-many') {
    return relationship.columns.map(([own, other]) => equals(node.alias, other, parent.alias, own))
  }
  const junction = `j${node.alias}`
  const { source, target } = relationship.junction
  return [
    ...target.map(([column, through]) => equals(node.alias, column, junction, through)),
    ...source.map(([column, through]) => equals(junction, through, parent.alias, column)),
  ]
}
