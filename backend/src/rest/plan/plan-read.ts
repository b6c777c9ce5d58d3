// Plans a read: the tree of root and embedded resources, each with its filters, order and range.
import { restErrors } from '#rest/errors.ts'
import { LIMITS } from '#rest/limits.ts'
import type {
  ColumnItem,
  Condition,
  EmbedItem,
  OrderTerm,
  QueryString,
  SelectItem,
} from '#rest/request/request-types.ts'
import { isToOne, keyOf, type Schema, type Table } from '#rest/schema-cache/schema-types.ts'
import { chooseRelationship } from './choose-relationship.ts'
import { expandForAggregates } from './plan-aggregates.ts'
import {
  SCALAR,
  type EmbedNode,
  type PlannedColumn,
  type PlannedCondition,
  type PlannedField,
  type PlannedOrder,
  type ReadNode,
  type Source,
} from './plan-types.ts'
import { planField, starField } from './planned-field.ts'

export type ReadSettings = { schema: Schema; schemaName: string; aggregates: boolean }

type Root = { table: Table; source: Source }

/** @param filterRoot false for writes, whose root filters select what to change, not what to return */
export function planRead(
  query: QueryString,
  root: Root,
  settings: ReadSettings,
  filterRoot: boolean,
): ReadNode {
  const planner = new ReadPlanner(settings)
  const node = planner.node(root.table, root.source, query.select)
  for (const { path, what } of query.filters) {
    if (path.length > 0 || filterRoot) {
      const target = findNode(node, path)
      target.conditions.push(planCondition(what, target))
    }
  }
  for (const { path, what } of query.trees) {
    if (path.length > 0 || filterRoot) {
      const target = findNode(node, path)
      target.conditions.push(planCondition(what, target))
    }
  }
  for (const { path, what } of query.orders) {
    const target = findNode(node, path)
    if (target.order.length === 0) target.order = what.map((term) => planOrder(term, target))
  }
  for (const { path, what } of query.ranges) {
    if (path.length === 0) continue
    const target = findNode(node, path)
    target.limit = clampLimit(what.limit ?? target.limit)
    target.offset = what.offset
  }
  expandForAggregates(node, settings.aggregates)
  return node
}

/** The limit of a list: at most `LIMITS.rows`, also without a requested one. */
export function clampLimit(requested: number | null): number {
  return Math.min(requested ?? LIMITS.rows, LIMITS.rows)
}

class ReadPlanner {
  private count = 0
  private readonly settings: ReadSettings

  constructor(settings: ReadSettings) {
    this.settings = settings
  }

  /** @param depth 0 for the root */
  node(table: Table, source: Source, items: SelectItem[], depth = 0): ReadNode {
    if (this.count > LIMITS.embeds) throw restErrors.overLimit('embedded resources', LIMITS.embeds)
    const node: ReadNode = {
      alias: `t${this.count++}`,
      source,
      table,
      name: table.name,
      columns: items
        .filter((item) => item.kind === 'column')
        .map((item) => planColumn(item, table)),
      conditions: [],
      order: [],
      limit: null,
      offset: null,
      embeds: [],
    }
    node.embeds = items
      .filter((item) => item.kind === 'embed')
      .map((item) => this.embed(item, node, depth + 1))
    rejectTwins(node, depth + 1)
    return node
  }

  private embed(item: EmbedItem, parent: ReadNode, depth: number): EmbedNode {
    const { schema, schemaName } = this.settings
    const relationship = chooseRelationship(schema, {
      schema: schemaName,
      origin: parent.name,
      target: item.relation,
      hint: item.hint,
    })
    const { to } = relationship
    const table = schema.tables.get(keyOf(to.schema, to.name))
    if (!table) throw restErrors.noTable(to.schema, to.name, null)
    const node = this.node(table, { kind: 'table', name: to }, item.items, depth)
    if (!isToOne(relationship)) node.limit = LIMITS.rows
    return {
      name: validAlias(item.alias) ?? item.relation,
      relation: item.relation,
      alias: `e${node.alias.slice(1)}`,
      inner: item.join === 'inner',
      toOne: isToOne(relationship),
      relationship,
      node,
      orderFields: [],
      spread: item.spread ? [] : null,
    }
  }
}

/** Of two embedded resources with one name, a client would see only one; as in PostgREST, they need aliases. */
function rejectTwins({ name: parent, embeds }: ReadNode, depth: number): void {
  const names = new Set<string>()
  for (const { name, spread } of embeds) {
    if (spread) continue
    if (names.has(name)) throw restErrors.embeddedTwice(`${parent}_${name}_${depth}`)
    names.add(name)
  }
}

/** Embedded resources are addressed by alias, or by the name of the relation. */
function findNode(root: ReadNode, path: string[]): ReadNode {
  let node = root
  for (const name of path) {
    const embed =
      node.embeds.find((each) => each.name === name) ??
      node.embeds.find((each) => each.relation === name)
    if (!embed) throw restErrors.notEmbedded(name)
    node = embed.node
  }
  return node
}

/** Names that start with a question mark are reserved for the statement itself. */
function validAlias(alias: string | null): string | null {
  if (alias?.startsWith('?')) {
    throw restErrors.invalidQuery(
      `"failed to parse select parameter" (line 1, column 1)`,
      'unexpected "?" expecting alias',
    )
  }
  return alias
}

function planColumn(item: ColumnItem, table: Table): PlannedColumn {
  if (isRowCount(item, table)) return countOfRows(item, table)
  const isStar = item.field.name === '*' && item.field.path.length === 0 && item.cast === null
  const field = isStar ? starField(table) : planField(item.field, table)
  return {
    field,
    cast: item.cast,
    aggregate: item.aggregate,
    aggregateCast: item.aggregateCast,
    alias: validAlias(item.alias) ?? (item.aggregate === null ? aliasOfPath(field) : null),
  }
}

/** `count` where no column has that name: Postgres reads `t.count` as `count(t)`, and many projects rely on it. */
function isRowCount({ field, aggregate }: ColumnItem, { columns, computed }: Table): boolean {
  const isPlain = field.path.length === 0 && aggregate === null && !columns.has(SCALAR)
  return isPlain && field.name === 'count' && !columns.has('count') && !computed.has('count')
}

function countOfRows({ cast, alias }: ColumnItem, table: Table): PlannedColumn {
  return {
    field: starField(table),
    cast: null,
    aggregate: 'count',
    aggregateCast: cast,
    alias: validAlias(alias),
    isColumn: true,
  }
}

/** `data->a->b` is named `b`; with an index at the end (`data->a->0`), the last key is used. */
function aliasOfPath({ name, path }: PlannedField): string | null {
  if (path.length === 0) return null
  return path.findLast((step) => !step.isIndex)?.key ?? name
}

export function planCondition(
  condition: Condition,
  node: Pick<ReadNode, 'table' | 'embeds'>,
): PlannedCondition {
  if (condition.kind === 'tree') {
    const { branches, operator, negated } = condition
    return {
      kind: 'tree',
      operator,
      negated,
      branches: branches.map((branch) => planCondition(branch, node)),
    }
  }
  const { field, negated, operation } = condition
  const embed = field.path.length === 0 && node.embeds.find(({ name }) => name === field.name)
  if (embed && operation.kind === 'is') {
    if (operation.what === 'null') return { kind: 'embedIsNull', negated, embed }
    if (operation.what === 'not_null') return { kind: 'embedIsNull', negated: !negated, embed }
  }
  const planned = planField(field, node.table)
  const needsVector =
    operation.kind === 'search' &&
    planned.base !== null &&
    (field.path.length > 0 || planned.base !== 'tsvector')
  return {
    kind: 'filter',
    field: { ...planned, needsVector },
    negated,
    operation,
  }
}

function planOrder(term: OrderTerm, node: ReadNode): PlannedOrder {
  const { direction, nulls, relation } = term
  if (relation === null)
    return { by: { kind: 'own', field: planField(term.field, node.table) }, direction, nulls }
  const embed = node.embeds.find(({ name }) => name === relation)
  if (!embed) throw restErrors.notEmbedded(relation)
  if (!embed.toOne) throw restErrors.orderNotToOne(node.name, relation)
  if (term.field.path.length === 0 && isShown(term.field.name, embed.node))
    return { by: { kind: 'shown', embed, name: term.field.name }, direction, nulls }
  const field = planField(term.field, embed.node.table)
  embed.orderFields.push(field)
  return { by: { kind: 'related', embed, field }, direction, nulls }
}

/** Whether the resource returns a column of that name, or with that alias. */
function isShown(name: string, { columns, table }: ReadNode): boolean {
  return columns.some(({ alias, aggregate, field }) =>
    field.name === '*' && aggregate === null
      ? table.columns.has(name)
      : (alias ?? aggregate ?? field.name) === name,
  )
}
