import type pg from 'pg'
import type { Query, Statement } from './statement.ts'

/** Runs `work` between BEGIN and COMMIT on a connection of its own; `first` sets the transaction up. */
export async function inTransaction<T>(
  pool: pg.Pool,
  first: Statement[],
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    for (const statement of first) await client.query(toConfig(statement))
    const result = await work((statement) => client.query(toConfig(statement)))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError))
    throw error
  } finally {
    client.release(broken)
  }
}

export function toConfig({ name, text, values }: Statement): pg.QueryConfig {
  return { ...(name ? { name } : {}), text, values: values as unknown[] | undefined }
}
