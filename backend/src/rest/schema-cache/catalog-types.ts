// The rows that catalog-query.ts returns.

export type CatalogColumn = {
  number: number
  name: string
  type: string
  base: string
  nullable: boolean
  default: string | null
  description: string | null
  enumValues: string[] | null
}
export type CatalogTable = {
  id: number
  schema: string
  name: string
  is_view: boolean
  description: string | null
  insertable: boolean
  updatable: boolean
  deletable: boolean
  columns: CatalogColumn[] | null
}
export type CatalogKey = {
  table: number
  name: string
  kind: 'p' | 'u' | 'f'
  columns: number[]
  otherTable: number | null
  otherColumns: number[] | null
}
export type CatalogRoutine = {
  schema: string
  name: string
  description: string | null
  volatility: 'v' | 's' | 'i'
  isSet: boolean
  type: string
  rows: number
  isVoid: boolean
  /** `returns record` without OUT parameters: its columns are known only once it runs. */
  isRecord: boolean
  isRow: boolean
  returnsTable: boolean
  returnsSchema: string | null
  returnsName: string | null
  statementTimeout: string | null
  columns: { name: string; type: string; base: string }[]
  parameters: {
    name: string
    type: string
    base: string
    required: boolean
    variadic: boolean
    table: number | null
  }[]
}
export type Catalog = {
  tables: CatalogTable[]
  keys: CatalogKey[]
  views: { view: number; definition: string }[]
  routines: CatalogRoutine[]
  roleSettings: { role: string; name: string; value: string }[]
  /** One at most. */
  preRequest: { name: string }[]
  schemas: { name: string; description: string | null }[]
}
