// The query plan: the interface between plan-query and build-sql. Names and relationships are resolved against the
// schema; there is no SQL yet.
import type { BodyForm, MediaType } from '#rest/request/media-types.ts'
import type { AggregateName, JsonStep, Operation, ValueIndex } from '#rest/request/request-types.ts'
import type {
  Column,
  Parameter,
  Relationship,
  Routine,
  Table,
  TableName,
} from '#rest/schema-cache/schema-types.ts'

export type PlannedField = {
  name: string
  /** The function of a computed field; null for a column. */
  computed: TableName | null
  /** The table whose row the function takes. */
  of: TableName
  path: JsonStep[]
  /** Paths apply directly to a json or jsonb column; other types are converted to jsonb first. */
  isJson: boolean
  /** The type of the column; null for a computed field. */
  base: string | null
  /** Whether a full-text search must convert the column to a tsvector first. */
  needsVector: boolean
}

export type PlannedColumn = {
  field: PlannedField
  cast: string | null
  aggregate: AggregateName | null
  aggregateCast: string | null
  /** The name in the response; null for the column's own. */
  alias: string | null
  /** An aggregate that the request names like a column, which needs no setting. */
  isColumn?: true
}

export type PlannedCondition =
  | { kind: 'filter'; field: PlannedField; negated: boolean; operation: Operation }
  | { kind: 'tree'; negated: boolean; operator: 'and' | 'or'; branches: PlannedCondition[] }
  | { kind: 'embedIsNull'; negated: boolean; embed: EmbedNode }

export type PlannedOrder = {
  by:
    | { kind: 'own'; field: PlannedField }
    /** A column that an embedded to-one resource returns, by its name there. */
    | { kind: 'shown'; embed: EmbedNode; name: string }
    /** A column that it does not return; the field is in the embed's `orderFields`. */
    | { kind: 'related'; embed: EmbedNode; field: PlannedField }
  direction: 'asc' | 'desc' | null
  nulls: 'first' | 'last' | null
}

export type Source =
  | { kind: 'table'; name: TableName }
  /** A CTE of the statement: the rows that a write or call returned. */
  | { kind: 'part'; name: string }
  | { kind: 'call'; call: CallPlan }

/** The CTE with the rows that a write returned. */
export const WRITTEN_ROWS = 'written'
/** The result column of a function that returns scalars. */
export const SCALAR = 'pgrst_scalar'

export type ReadNode = {
  /** `t0` for the root; unique in the statement. */
  alias: string
  source: Source
  /** Its columns are the only names a request can use; for a call, those of the function's result. */
  table: Table
  /** The name used in errors. */
  name: string
  columns: PlannedColumn[]
  conditions: PlannedCondition[]
  order: PlannedOrder[]
  limit: number | null
  offset: ValueIndex | null
  embeds: EmbedNode[]
}

/** A column that a spread resource adds to its parent. */
export type SpreadColumn = {
  name: string
  /** Whether it is an embedded resource of the spread one. */
  isEmbedded: boolean
  aggregate: AggregateName | null
  aggregateCast: string | null
  alias: string | null
}

export type EmbedNode = {
  /** Its key in the response. */
  name: string
  /** The relation as named in the request. */
  relation: string
  /** The alias of the joined subquery: `e1`. */
  alias: string
  inner: boolean
  toOne: boolean
  relationship: Relationship
  node: ReadNode
  /** Columns that the parent's rows are ordered by, and that are not returned. */
  orderFields: PlannedField[]
  /** Null unless its columns are spread into the parent. */
  spread: SpreadColumn[] | null
}

export type Arguments =
  | { kind: 'none' }
  /** The body as the single unnamed argument. */
  | { kind: 'unnamed'; type: string; value: ValueIndex }
  | {
      kind: 'json'
      parameters: Parameter[]
      value: ValueIndex
      isArray: boolean
    }
  | {
      kind: 'values'
      parameters: (Parameter & { values: ValueIndex[] })[]
    }

export type CallPlan = { routine: Routine; arguments: Arguments }

export type WritePlan = {
  table: Table
  /** Columns to return; empty if none are needed, `*` for all. */
  returning: string[]
} & (
  | {
      kind: 'insert'
      rows: RowsPlan
      conflict: { columns: string[]; merge: boolean } | null
      /** For PUT: the row must have the key given in the URL. */
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
  /** Missing keys take the column's default instead of null. */
  useDefaults: boolean
}

export type Plan = {
  write: WritePlan | null
  read: ReadNode
  form: BodyForm
  /** Of the response, unless the plan is explained. */
  contentType: string
  /** Whether the response has the rows as its body. */
  withBody: boolean
  /** Whether the response includes the total number of matching rows. */
  counted: boolean
  /** Key columns for the Location header. */
  location: string[]
  /** Fail, inside the transaction, unless the result has exactly one row. */
  single: boolean
  /** Fail if the result has more rows. */
  maxAffected: ValueIndex | null
  /** For PUT: fail if the key in the body is not the one in the URL. */
  matchKey: boolean
  explain: Extract<MediaType, { kind: 'plan' }> | null
  readOnly: boolean
}
