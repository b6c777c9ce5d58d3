// The schema as the Data API sees it: read from the catalog at once and immutable.

export type Column = {
  name: string
  /** As formatted by Postgres, with its length: `character varying(20)`. */
  type: string
  /** The type without length, and a domain's base type: `character varying`. */
  base: string
  nullable: boolean
  /** The default as SQL; null if there is none. */
  default: string | null
  description: string | null
  enumValues: string[] | null
}

export type Table = {
  schema: string
  name: string
  isView: boolean
  description: string | null
  columns: Map<string, Column>
  /** Computed fields: functions of a row that a request can use like columns. */
  computed: Map<string, TableName>
  primaryKey: string[]
  insertable: boolean
  updatable: boolean
  deletable: boolean
}

/** A column and the column of the other table that it equals. */
export type ColumnPair = readonly [own: string, other: string]

export type Junction = {
  schema: string
  name: string
  /** Constraint and columns that reference the source table. Pairs are (column there, column of the junction). */
  sourceConstraint: string
  source: ColumnPair[]
  /** Constraint and columns that reference the embedded table. */
  targetConstraint: string
  target: ColumnPair[]
}

export type TableName = { schema: string; name: string }

export type Relationship = {
  from: TableName
  to: TableName
  isSelf: boolean
  toIsView: boolean
} & (
  | { kind: 'many-to-one' | 'one-to-many'; constraint: string; columns: ColumnPair[] }
  /** `ownsKey`: the foreign key is in `from`. */
  | { kind: 'one-to-one'; constraint: string; columns: ColumnPair[]; ownsKey: boolean }
  | { kind: 'many-to-many'; junction: Junction }
  | { kind: 'computed'; function: TableName; toOne: boolean }
)

export type Parameter = {
  name: string
  type: string
  base: string
  required: boolean
  variadic: boolean
}

export type Returns = {
  /** `row` has columns, those of a table or its own. */
  kind: 'void' | 'scalar' | 'row'
  /** The columns of its rows are known only once it runs; then `kind` is `scalar`. */
  isRecord: boolean
  isSet: boolean
  type: string
  /** The table or view whose rows it returns; they can embed like that table's rows. */
  table: TableName | null
  /** The result columns, if it does not return rows of a known table. */
  columns: { name: string; type: string; base: string }[]
}

export type Routine = {
  schema: string
  name: string
  parameters: Parameter[]
  returns: Returns
  volatility: 'volatile' | 'stable' | 'immutable'
  description: string | null
  /** The function's `statement_timeout`, which must be set before the statement starts. */
  statementTimeout: string | null
}

/** The relationships of each table, whose key is that of `keyOf`. */
export type Relationships = {
  /** All tables that have any. */
  tables(): Iterable<string>
  /** Without those through junction tables. */
  direct(table: string): Relationship[]
  of(table: string): Relationship[]
}

export type Schema = {
  /** Increases with every reload, to invalidate cached plans. */
  version: number
  tables: Map<string, Table>
  relationships: Relationships
  routines: Map<string, Routine[]>
  /** Settings of database roles, such as `statement_timeout`, applied after switching to the role. */
  roleSettings: Map<string, Readonly<Record<string, string>>>
  /** The function to call before each request, with its name quoted. */
  preRequest: string | null
  description: Map<string, string | null>
}

export function keyOf(schema: string, name: string): string {
  return `${schema}\u0000${name}`
}

export function isToOne(relationship: Relationship): boolean {
  if (relationship.kind === 'computed') return relationship.toOne
  return relationship.kind === 'many-to-one' || relationship.kind === 'one-to-one'
}

/** Adds to the list of a key, which it creates. */
export function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
