import type { PlannedCondition, PlannedField, ReadNode } from './plan-types.ts'

/** The columns of the root resource that its select, order, filters and embeds need; `*` for all. */
export function requiredColumns(node: ReadNode): string[] {
  const names = new Set<string>()
  for (const column of node.columns) {
    if (column.field.name !== '*' || column.aggregate === null) addField(column.field, names)
  }
  for (const { by } of node.order) if (by.kind === 'own') addField(by.field, names)
  for (const condition of node.conditions) addFiltered(condition, names)
  for (const { relationship } of node.embeds) {
    if (relationship.kind === 'computed') names.add('*')
    else if (relationship.kind === 'many-to-many') {
      for (const [own] of relationship.junction.source) names.add(own)
    } else for (const [own] of relationship.columns) names.add(own)
  }
  return [...names]
}

/** A computed field takes the whole row. */
function addField({ name, computed }: PlannedField, names: Set<string>): void {
  names.add(computed ? '*' : name)
}

function addFiltered(condition: PlannedCondition, names: Set<string>): void {
  if (condition.kind === 'filter') addField(condition.field, names)
  if (condition.kind === 'tree') for (const branch of condition.branches) addFiltered(branch, names)
}
