// Aggregates and spreads. A resource with an aggregate is grouped by everything else it shows, so `*` must become its
// columns; aggregates inside a spread resource are worked out by the resource around it.
import { restErrors } from './errors.ts'
import type { EmbedNode, PlannedColumn, ReadNode, SpreadColumn } from './plan-types.ts'

export function expandForAggregates(node: ReadNode, enabled: boolean): void {
  if (!enabled && node.columns.some((column) => column.aggregate !== null))
    throw restErrors.aggregatesOff()
  for (const embed of node.embeds) {
    expandForAggregates(embed.node, enabled)
    if (embed.spread) embed.spread = spreadColumns(embed)
  }
  if (isGrouped(node)) expandStars(node)
  for (const embed of node.embeds) if (embed.orderFields.length > 0) expandStars(embed.node)
}

/** True when the rows of this resource are groups. */
export function isGrouped({ columns, embeds }: ReadNode): boolean {
  return (
    columns.some((column) => column.aggregate !== null) ||
    embeds.some((embed) => embed.spread?.some((column) => column.aggregate !== null))
  )
}

function expandStars(node: ReadNode): void {
  node.columns = node.columns.flatMap((column) =>
    column.field.name === '*' && column.aggregate === null ? allColumns(node) : [column],
  )
}

function allColumns({ table }: ReadNode): PlannedColumn[] {
  return [...(table?.columns.values() ?? [])].map(({ name, type }) => ({
    field: { name, path: [], isJson: type === 'json' || type === 'jsonb', needsVector: false },
    cast: null,
    aggregate: null,
    aggregateCast: null,
    alias: null,
  }))
}

/** What a spread resource gives to the one around it; its own aggregates move outwards. */
function spreadColumns({ node, toOne }: EmbedNode): SpreadColumn[] {
  const inherited = node.embeds.flatMap((embed) => embed.spread ?? [])
  if (!toOne) {
    const aggregated = [...node.columns, ...inherited].some((column) => column.aggregate !== null)
    if (aggregated) {
      throw restErrors.notImplemented(
        'Aggregates are not implemented for one-to-many or many-to-many spreads.',
      )
    }
  }
  if (!toOne || node.columns.some((column) => column.field.name === '*')) expandStars(node)
  const own = node.columns.map((column) => {
    const { aggregate, aggregateCast } = column
    if (aggregate === null) return plain(column.alias ?? column.field.name)
    const name = column.alias ?? aggregate
    column.alias = name
    column.aggregate = null
    column.aggregateCast = null
    return { name, aggregate, aggregateCast, alias: name }
  })
  const nested = node.embeds.flatMap((embed): SpreadColumn[] => {
    if (!embed.spread) return isEmpty(embed.node) ? [] : [plain(embed.name)]
    return embed.spread.map((column) => moveOut(column))
  })
  return [...own, ...nested]
}

function plain(name: string): SpreadColumn {
  return { name, aggregate: null, aggregateCast: null, alias: null }
}

/** Takes the aggregate away from the inner resource and leaves it the bare column. */
function moveOut(column: SpreadColumn): SpreadColumn {
  const moved = { ...column, name: column.alias ?? column.name }
  column.aggregate = null
  column.aggregateCast = null
  return moved
}

/** A resource that shows nothing, embedded only to be filtered by. */
export function isEmpty({ columns, embeds }: ReadNode): boolean {
  return columns.length === 0 && embeds.every((embed) => isEmpty(embed.node))
}
