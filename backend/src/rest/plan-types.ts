// What will be asked of the database: the language between plan-query and build-sql. Names are resolved against the
// schema, relationships are found, nothing is text of SQL yet.
import type { BodyForm, MediaType } from './media-types.ts'
import type { AggregateName, JsonStep, Operation, ValueIndex } from './request-types.ts'
import type { Column, Relationship, Routine, Table, TableName } from './schema-types.ts'

export type PlannedField = {
  name: string
  path: JsonStep[]
  /** A json column can be walked as it is; anything else becomes jsonb first. */
  isJson: boolean
  /** True when a full text search must make a vector of the column first. */
  needsVector: boolean
}

export type PlannedColumn = {
  field: PlannedField
  cast: string | null
  aggregate: AggregateName | null
  aggregateCast: string | null
  /** The name in the reply; null leaves the column's own. */
  alias: string | null
}

export type PlannedCondition =
  | { kind: 'filter'; field: PlannedField; negated: boolean; operation: Operation }
  | { kind: 'tree'; negated: boolean; operator: 'and' | 'or'; branches: PlannedCondition[] }
  | { kind: 'embedIsNull'; negated: boolean; embed: EmbedNode }

export type PlannedOrder = {
  /** Set when a column of an embedded to-one resource orders the rows: it is among that embed's `orderFields`. */
  embed: EmbedNode | null
  field: PlannedField
  direction: 'asc' | 'desc' | null
  nulls: 'first' | 'last' | null
}

export type Source =
  | { kind: 'table'; name: TableName }
  /** The rows of an earlier part of the statement: what a write or a call returned. */
  | { kind: 'part'; name: string }
  | { kind: 'call'; call: CallPlan }

/** The part that holds what a write returned. */
export const WRITTEN_ROWS = 'written'

export type ReadNode = {
  /** `t0` for the outermost; unique in the statement. */
  alias: string
  source: Source
  table: Table | null
  /** The name that errors call it by. */
  name: string
  columns: PlannedColumn[]
  conditions: PlannedCondition[]
  order: PlannedOrder[]
  limit: number | null
  offset: ValueIndex | null
  embeds: EmbedNode[]
}

/** One column that a spread resource gives to the resource around it. */
export type SpreadColumn = {
  name: string
  aggregate: AggregateName | null
  aggregateCast: string | null
  alias: string | null
}

export type EmbedNode = {
  /** Its key in the reply. */
  name: string
  /** The relation as the request called it. */
  relation: string
  /** What the joined subquery is called: `e1`. */
  alias: string
  inner: boolean
  toOne: boolean
  relationship: Relationship
  node: ReadNode
  /** Columns that the rows around it are ordered by, shown or not. */
  orderFields: PlannedField[]
  /** Null unless its columns are spread into the parent's. */
  spread: SpreadColumn[] | null
}

export type Arguments =
  | { kind: 'none' }
  /** The body as the only, unnamed argument. */
  | { kind: 'unnamed'; type: string; value: ValueIndex }
  | {
      kind: 'json'
      parameters: { name: string; type: string; variadic: boolean }[]
      value: ValueIndex
      isArray: boolean
    }
  | {
      kind: 'values'
      parameters: { name: string; type: string; variadic: boolean; values: ValueIndex[] }[]
    }

export type CallPlan = { routine: Routine; arguments: Arguments }

export type WritePlan = {
  table: Table
  /** Columns the statement returns; empty when nobody reads them. `*` stands for all. */
  returning: string[]
} & (
  | {
      kind: 'insert'
      rows: RowsPlan
      conflict: { columns: string[]; merge: boolean } | null
      /** For PUT: the row must carry the key that the URL names. */
      keyConditions: PlannedCondition[]
    }
  | { kind: 'update'; rows: RowsPlan; conditions: PlannedCondition[] }
  | { kind: 'delete'; conditions: PlannedCondition[] }
)

/** The rows of the body, as columns of the table. */
export type RowsPlan = {
  value: ValueIndex
  isArray: boolean
  columns: Column[]
  /** Keys a row leaves out take the column's default instead of null. */
  useDefaults: boolean
}

export type Plan = {
  write: WritePlan | null
  read: ReadNode
  form: BodyForm
  /** Whether the reply needs the rows as a body at all. */
  withBody: boolean
  count: 'exact' | 'planned' | 'estimated' | null
  /** Key columns whose values make the Location header. */
  location: string[]
  /** Refuse the result, inside the transaction, unless it has exactly one row. */
  single: boolean
  /** Refuse a result of more rows. */
  maxAffected: ValueIndex | null
  /** PUT: refuse when the body's key is not the URL's. */
  matchKey: boolean
  explain: Extract<MediaType, { kind: 'plan' }> | null
  readOnly: boolean
}
