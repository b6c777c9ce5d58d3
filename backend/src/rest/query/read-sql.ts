// A resource and everything embedded in it as one select. Embedded resources are lateral joins, so that each can have
// its own filters, order and range, and its parent can be filtered and ordered by it.
import { isGrouped } from '#rest/plan/plan-aggregates.ts'
import type { EmbedNode, ReadNode } from '#rest/plan/plan-types.ts'
import { callSql } from './call-sql.ts'
import { conditionSql } from './filter-sql.ts'
import { boundedSql, orderColumns, orderSql, rowsName, selectList } from './select-sql.ts'
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
  const selected = [...selectList(node, grouped), ...orderColumns(joinTo, node)]
  const parts = [
    `select ${selected.map(({ sql }) => sql).join(', ') || '1 as "?"'}`,
    `from ${sourceSql(node, parameters, joinTo, parent)}`,
    ...node.embeds.map((embed) => joinSql(embed, node, parameters)),
  ]
  const conditions = [
    ...(joinTo && parent ? joinConditions(joinTo, parent) : []),
    ...node.conditions.map((condition) =>
      conditionSql(condition, node.alias, parameters, ({ embed, negated }) =>
        embed.toOne
          ? `${embed.alias}.* is ${negated ? '' : 'not '}distinct from null`
          : `${embed.alias}.${rowsName(embed)} is ${negated ? 'not ' : ''}null`,
      ),
    ),
  ]
  if (conditions.length > 0) parts.push(`where ${conditions.join(' and ')}`)
  if (grouped) {
    const positions = selected.flatMap(({ aggregated }, index) => (aggregated ? [] : [index + 1]))
    if (positions.length > 0) parts.push(`group by ${positions.join(', ')}`)
  }
  if (node.order.length > 0) {
    parts.push(`order by ${node.order.map((order) => orderSql(order, node)).join(', ')}`)
  }
  if (node.limit !== null) parts.push(`limit ${node.limit}`)
  if (node.offset !== null) parts.push(`offset ${parameters.for(node.offset)}::bigint`)
  return parts.join(' ')
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
    : `select ${boundedSql(embed.node, 'json_agg(r.*)')} as ${rowsName(embed)} from (${inner}) as r`
  return `${kind} lateral (${rows}) as ${alias} on ${embed.inner ? `${alias}.${rowsName(embed)} is not null` : 'true'}`
}

/** Each column of a spread to-many resource becomes an array. */
function spreadRows(embed: EmbedNode, inner: string): string {
  const columns = (embed.spread ?? []).map(
    ({ name, alias }) =>
      `coalesce(json_agg(r.${quoteName(name)}), '[]') as ${quoteName(alias ?? name)}`,
  )
  const rows = `${boundedSql(embed.node, 'json_agg(1)')} as ${rowsName(embed)}`
  return `select ${[rows, ...columns].join(', ')} from (${inner}) as r`
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
      parent.source.kind === 'table'
        ? `${parent.alias}.*`
        : `(${parent.alias}.*)::${quoteTable(from)}`
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
