// What a request asks for, once understood: the language between parse-request and plan-query.
// Values never stand in these types, only their place in the request's list of values. So a plan cannot depend on
// a value, one plan serves every request of the same shape, and no value can end up in the text of a statement.

/** The place of a value in `ParsedRequest.values`. */
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
  /** An embedded to-one resource whose column orders the rows. */
  relation: string | null
  field: Field
  direction: 'asc' | 'desc' | null
  nulls: 'first' | 'last' | null
}

/** Something said of one embedded resource; the path of the outermost resource is empty. */
export type At<T> = { path: string[]; what: T }

/** How many rows, from which on. A limit stands in the shape: Postgres then keeps one plan for it. */
export type Range = { limit: number | null; offset: ValueIndex | null; offsetNumber: number }

export type QueryString = {
  select: SelectItem[]
  filters: At<Filter>[]
  trees: At<ConditionTree>[]
  orders: At<OrderTerm[]>[]
  ranges: At<Range>[]
  columns: string[] | null
  onConflict: string[] | null
  /** For functions called with GET: parameters that are no filters. */
  params: { name: string; value: ValueIndex }[]
}
