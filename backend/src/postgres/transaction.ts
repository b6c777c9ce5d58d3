import type pg from 'pg'
import { checkOut } from './guarded-client.ts'
import type { Query, Statement } from './statement.ts'

/** Runs `work` in a transaction on its own connection, after the `setup` statements. Rolls back when it throws. */
export async function inTransaction<T>(
  pool: pg.Pool,
  setup: Statement[],
  work: (query: Query, client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await checkOut(pool)
  let broken: Error | undefined
  try {
    await client.query('begin')
    for (const statement of setup) await client.query(toConfig(statement))
    const result = await work((statement) => client.query(toConfig(statement)), client)
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
