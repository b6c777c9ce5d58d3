// The parsed request: the interface between parse-request and plan-query. It contains no values, only their indexes in
// the request's list of values. So a plan cannot depend on a value, one plan serves every request of the same shape,
// and no value can end up in the text of a statement.

/** The index of a value in `requestValues`. */
export type ValueIndex = number

export type JsonStep = { arrow: '->' | '->>'; key: string; isIndex: boolean }
export type Field = { name: string; path: JsonStep[] }

export type Quantifier = 'any' | 'all' | null
export type Operation =
  | { kind: 'compare'; operator: string; quantifier: Quantifier; value: ValueIndex }
  | { kind: 'in'; value: ValueIndex }
  | { kind: 'is'; what: 'null' | 'not_null' | 'true' | 'false' | 'unknown' }
  | { kind: 'isdistinct'; value: ValueIndex }
  | { kind: 'search'; function: string; language: string | null; value: ValueIndex }

export type Filter = { kind: 'filter'; field: Field; negated: boolean; operation: Operation }
export type Condition = Filter | ConditionTree
export type ConditionTree = {
  kind: 'tree'
  negated: boolean
  operator: 'and' | 'or'
  branches: Condition[]
}

export type AggregateName = 'sum' | 'avg' | 'count' | 'max' | 'min'
export type ColumnItem = {
  kind: 'column'
  field: Field
  cast: string | null
  aggregate: AggregateName | null
  aggregateCast: string | null
  alias: string | null
}
export type EmbedItem = {
  kind: 'embed'
  relation: string
  alias: string | null
  hint: string | null
  join: 'left' | 'inner' | null
  spread: boolean
  items: SelectItem[]
}
export type SelectItem = ColumnItem | EmbedItem

export type OrderTerm = {
  /** The embedded to-one resource to order by, if any. */
  relation: string | null
  field: Field
  direction: 'asc' | 'desc' | null
  nulls: 'first' | 'last' | null
}

/** Applies `what` to the embedded resource at `path`; the root resource has an empty path. */
export type At<T> = { path: string[]; what: T }

/** A limit is part of the shape, so that Postgres plans with it. */
export type Range = { limit: number | null; offset: ValueIndex | null; offsetNumber: number }

export type QueryString = {
  select: SelectItem[]
  filters: At<Filter>[]
  trees: At<ConditionTree>[]
  orders: At<OrderTerm[]>[]
  ranges: At<Range>[]
  columns: string[] | null
  onConflict: string[] | null
  /** For functions called with GET: the parameters that are not filters. */
  params: { name: string; value: ValueIndex }[]
}
