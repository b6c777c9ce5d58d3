// What the data API knows of the database: read from the catalogue in one go, never changed afterwards.

export type Column = {
  name: string
  /** As Postgres writes it, length included: `character varying(20)`. */
  type: string
  nullable: boolean
  /** The default as SQL, null without one. */
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
  primaryKey: string[]
  insertable: boolean
  updatable: boolean
  deletable: boolean
}

/** Column of the one table and the column of the other that equals it. */
export type ColumnPair = readonly [own: string, other: string]

export type Junction = {
  schema: string
  name: string
  /** Constraint and columns that lead to the table the request starts from… */
  sourceConstraint: string
  source: ColumnPair[]
  /** …and to the embedded one. Pairs are (column there, column of the junction). */
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
  | {
      kind: 'many-to-one' | 'one-to-many' | 'one-to-one'
      constraint: string
      columns: ColumnPair[]
    }
  | { kind: 'many-to-many'; junction: Junction }
  | { kind: 'computed'; function: TableName; toOne: boolean }
)

export type Parameter = { name: string; type: string; required: boolean; variadic: boolean }

export type Returns = {
  /** `row` has columns, whether a table's or its own. */
  kind: 'void' | 'scalar' | 'row'
  isSet: boolean
  /** The table or view whose rows it returns: they can embed as that table's can. */
  table: TableName | null
}

export type Routine = {
  schema: string
  name: string
  parameters: Parameter[]
  returns: Returns
  volatility: 'volatile' | 'stable' | 'immutable'
  description: string | null
  /** Its own `statement_timeout`, which must be set before the statement starts. */
  statementTimeout: string | null
}

export type Schema = {
  /** Grows with every reload, so plans made for another version can be told. */
  version: number
  tables: Map<string, Table>
  /** By the table they start from. */
  relationships: Map<string, Relationship[]>
  routines: Map<string, Routine[]>
  /** Settings of database roles, such as `statement_timeout`, applied for whoever takes the role. */
  roleSettings: Map<string, Readonly<Record<string, string>>>
  description: Map<string, string | null>
}

export function keyOf(schema: string, name: string): string {
  return `${schema}\u0000${name}`
}

export function isToOne(relationship: Relationship): boolean {
  if (relationship.kind === 'computed') return relationship.toOne
  return relationship.kind === 'many-to-one' || relationship.kind === 'one-to-one'
}
