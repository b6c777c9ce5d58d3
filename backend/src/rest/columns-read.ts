import type { PlannedCondition, ReadNode } from './plan-types.ts'

/** Every column of the outermost resource that the reply, its order, filters and embeds read. `*` stands for all. */
export function columnsRead(node: ReadNode): string[] {
  const names = new Set<string>()
  for (const column of node.columns) {
    if (column.field.name !== '*' || column.aggregate === null) names.add(column.field.name)
  }
  for (const order of node.order) if (!order.embed) names.add(order.field.name)
  for (const condition of node.conditions) addFiltered(condition, names)
  for (const { relationship } of node.embeds) {
    if (relationship.kind === 'computed') names.add('*')
    else if (relationship.kind === 'many-to-many') {
      for (const [own] of relationship.junction.source) names.add(own)
    } else for (const [own] of relationship.columns) names.add(own)
  }
  return [...names]
}

/** Those of them that are functions of a row, not columns of the table. */
export function computedColumnsRead(node: ReadNode): string[] {
  const { table } = node
  if (!table) return []
  return columnsRead(node).filter((name) => name !== '*' && !table.columns.has(name))
}

function addFiltered(condition: PlannedCondition, names: Set<string>): void {
  if (condition.kind === 'filter') names.add(condition.field.name)
  if (condition.kind === 'tree') for (const branch of condition.branches) addFiltered(branch, names)
}
