// The total number of matching rows: only the root resource, with inner joins as `exists`.
import type { EmbedNode, ReadNode } from '#rest/plan/plan-types.ts'
import { conditionSql } from './filter-sql.ts'
import { joinConditions, sourceSql } from './read-sql.ts'
import type { StatementParameters } from './statement-parameters.ts'

/** A select with one row per matching row, without order and range. */
export function matchingRowsSql(
  node: ReadNode,
  parameters: StatementParameters,
  joinTo?: EmbedNode,
  parent?: ReadNode,
): string {
  const exists = (embed: EmbedNode) =>
    `exists (${matchingRowsSql(embed.node, parameters, embed, node)})`
  const conditions = [
    ...(joinTo && parent ? joinConditions(joinTo, parent) : []),
    ...node.conditions.map((condition) =>
      conditionSql(
        condition,
        node.alias,
        parameters,
        ({ embed, negated }) => `${negated ? '' : 'not '}${exists(embed)}`,
      ),
    ),
    ...node.embeds.filter((embed) => embed.inner).map(exists),
  ]
  const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
  return `select 1 from ${sourceSql(node, parameters, joinTo, parent)}${where}`
}
