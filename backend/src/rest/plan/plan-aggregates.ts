// Aggregates and spreads. A resource with an aggregate is grouped by all its other columns, so `*` must be expanded;
// aggregates in a spread resource are computed by its parent.
import { restErrors } from '#rest/errors.ts'
import type { EmbedNode, PlannedColumn, ReadNode, SpreadColumn } from './plan-types.ts'
import { columnField } from './planned-field.ts'

export function expandForAggregates(node: ReadNode, enabled: boolean): void {
  if (!enabled && node.columns.some(({ aggregate, isColumn }) => aggregate !== null && !isColumn))
    throw restErrors.aggregatesOff()
  for (const embed of node.embeds) {
    expandForAggregates(embed.node, enabled)
    if (embed.spread) embed.spread = spreadColumns(embed)
  }
  if (isGrouped(node)) expandStars(node)
  for (const embed of node.embeds) if (embed.orderFields.length > 0) expandStars(embed.node)
}

/** Whether the rows of this resource are groups. */
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
  return [...table.columns.values()].map(({ name, base }) => ({
    field: columnField(table, name, { path: [], base, computed: null }),
    cast: null,
    aggregate: null,
    aggregateCast: null,
    alias: null,
  }))
}

/** The columns a spread resource adds to its parent. Its aggregates move to the parent. */
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
    return { name, isEmbedded: false, aggregate, aggregateCast, alias: name }
  })
  const nested = node.embeds.flatMap((embed): SpreadColumn[] => {
    if (!embed.spread) return isEmpty(embed.node) ? [] : [plain(embed.name, true)]
    return embed.spread.map((column) => hoistAggregate(column))
  })
  return [...own, ...nested]
}

function plain(name: string, isEmbedded = false): SpreadColumn {
  return { name, isEmbedded, aggregate: null, aggregateCast: null, alias: null }
}

/** Moves the aggregate to the parent and leaves the plain column in the spread resource. */
function hoistAggregate(column: SpreadColumn): SpreadColumn {
  const moved = { ...column, name: column.alias ?? column.name }
  column.aggregate = null
  column.aggregateCast = null
  return moved
}

/** Whether a resource returns nothing, that is, is embedded only for filtering. */
export function isEmpty({ columns, embeds }: ReadNode): boolean {
  return columns.length === 0 && embeds.every((embed) => isEmpty(embed.node))
}
