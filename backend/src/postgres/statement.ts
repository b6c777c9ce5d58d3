import type { QueryResult } from 'pg'

/** One SQL statement. A `name` makes it a prepared statement; a name must always belong to the same text. */
export type Statement = {
  name?: string
  text: string
  values?: readonly unknown[]
}

/** Runs a statement on the connection of a transaction. */
export type Query = (statement: Statement) => Promise<QueryResult>
