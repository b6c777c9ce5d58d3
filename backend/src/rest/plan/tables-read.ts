import type { Table } from '#rest/schema-cache/schema-types.ts'
import type { ReadNode } from './plan-types.ts'

/** The tables of a request with embedded resources. Empty without any: such a request is cheap to plan. */
export function tablesRead(node: ReadNode): Table[] {
  return node.embeds.length === 0 ? [] : [...new Set(allTables(node))]
}

function allTables({ source, table, embeds }: ReadNode): Table[] {
  return [
    ...(source.kind === 'table' ? [table] : []),
    ...embeds.flatMap(({ node, relationship }) =>
      relationship.kind === 'computed' ? [] : allTables(node),
    ),
  ]
}
