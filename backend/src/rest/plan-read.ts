// Plans what a reply shows: the tree of the outermost and the embedded resources, with filters, order and ranges put
// where they belong.
import { chooseRelationship } from './choose-relationship.ts'
import { restErrors } from './errors.ts'
import { expandForAggregates } from './plan-aggregates.ts'
import type {
  EmbedNode,
  PlannedColumn,
  PlannedCondition,
  PlannedField,
  PlannedOrder,
  ReadNode,
  Source,
} from './plan-types.ts'
import type {
  ColumnItem,
  Condition,
  EmbedItem,
  Field,
  OrderTerm,
  QueryString,
  SelectItem,
} from './request-types.ts'
import { isToOne, keyOf, type Schema, type Table } from './schema-types.ts'

/** Postgres takes 1664 result columns; a request with more answers as a bad request, not as an error of Postgres. */
const MAX_SELECTED = 1_600

export type ReadSettings = { schema: Schema; schemaName: string; aggregates: boolean }

type Root = { name: string; table: Table | null; source: Source }

/** @param filterRoot false for writes: there the filters say what to change, not what to show of it */
export function planRead(
  query: QueryString,
  root: Root,
  settings: ReadSettings,
  filterRoot: boolean,
): ReadNode {
  const planner = new ReadPlanner(settings)
  const node = planner.node(root.name, root.table, root.source, query.select)
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
    target.limit = what.limit
    target.offset = what.offset
  }
  expandForAggregates(node, settings.aggregates)
  return node
}

class ReadPlanner {
  private count = 0
  private selected = 0
  private readonly settings: ReadSettings

  constructor(settings: ReadSettings) {
    this.settings = settings
  }

  node(name: string, table: Table | null, source: Source, items: SelectItem[]): ReadNode {
    this.selected += items.length
    if (this.selected > MAX_SELECTED) {
      throw restErrors.invalidQuery(
        `"failed to parse select parameter" (line 1, column 1)`,
        `at most ${MAX_SELECTED} columns can be selected`,
      )
    }
    const node: ReadNode = {
      alias: `t${this.count++}`,
      source,
      table,
      name,
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
      .map((item) => this.embed(item, node))
    return node
  }

  private embed(item: EmbedItem, parent: ReadNode): EmbedNode {
    const { schema, schemaName } = this.settings
    const relationship = chooseRelationship(schema, {
      schema: schemaName,
      origin: parent.name,
      target: item.relation,
      hint: item.hint,
    })
    const { to } = relationship
    const table = schema.tables.get(keyOf(to.schema, to.name)) ?? null
    const node = this.node(to.name, table, { kind: 'table', name: to }, item.items)
    return {
      name: item.alias ?? item.relation,
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

/** An embedded resource goes by its alias, else by the name of its relation. */
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

export function planColumn(item: ColumnItem, table: Table | null): PlannedColumn {
  const field = planField(item.field, table)
  return {
    field,
    cast: item.cast,
    aggregate: item.aggregate,
    aggregateCast: item.aggregateCast,
    alias: item.alias ?? (item.aggregate === null ? aliasOfPath(field) : null),
  }
}

/** `data->a->b` is called `b`; behind an index (`data->a->0`) the last key counts. */
function aliasOfPath({ name, path }: PlannedField): string | null {
  if (path.length === 0) return null
  return path.findLast((step) => !step.isIndex)?.key ?? name
}

export function planField({ name, path }: Field, table: Table | null): PlannedField {
  const type = table?.columns.get(name)?.type
  return {
    name,
    path,
    isJson: type === 'json' || type === 'jsonb',
    needsVector: false,
  }
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
  const type = node.table?.columns.get(field.name)?.type
  const needsVector =
    operation.kind === 'search' &&
    type !== undefined &&
    (field.path.length > 0 || type !== 'tsvector')
  return {
    kind: 'filter',
    field: { ...planField(field, node.table), needsVector },
    negated,
    operation,
  }
}

function planOrder(term: OrderTerm, node: ReadNode): PlannedOrder {
  const { direction, nulls, relation } = term
  if (relation === null)
    return { embed: null, field: planField(term.field, node.table), direction, nulls }
  const embed = node.embeds.find(({ name }) => name === relation)
  if (!embed) throw restErrors.notEmbedded(relation)
  if (!embed.toOne) throw restErrors.orderNotToOne(node.name, relation)
  const field = planField(term.field, embed.node.table)
  embed.orderFields.push(field)
  return { embed, field, direction, nulls }
}
