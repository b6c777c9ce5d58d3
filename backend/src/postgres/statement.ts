import type { QueryResult } from 'pg'

/** One SQL statement. A `name` makes it a prepared statement: give the same name to the same text, always. */
export type Statement = {
  name?: string
  text: string
  values?: readonly unknown[]
}

/** Runs a statement on the connection of a transaction. */
export type Query = (statement: Statement) => Promise<QueryResult>
