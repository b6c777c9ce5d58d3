import type { QueryResult } from 'pg'
import type { Context } from '#http/context.ts'
import type { Caller } from '#http/caller.ts'
import { ServiceError } from '#http/service-error.ts'
import type { Database } from '#postgres/database.ts'
import type { Query, Statement } from '#postgres/statement.ts'
import { storageErrors } from './errors.ts'

/** One read in the member's name, in a single round trip. */
export async function readAs(
  database: Database,
  { caller }: Pick<Context, 'caller'>,
  operation: string,
  statement: Statement,
): Promise<QueryResult> {
  try {
    return await database.runAs(caller, statement, {
      readOnly: true,
      settings: { 'storage.operation': operation },
    })
  } catch (error) {
    throw asStorageError(error)
  }
}

/** Work in the member's name; policies see what is about to happen in `storage.operation()`. */
export async function workAs<T>(
  database: Database,
  caller: Caller,
  operation: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  try {
    return await database.transactionAs(caller, async (query) => {
      await query({
        name: 'storage_operation',
        text: `select set_config('storage.operation', $1, true), set_config('storage.allow_delete_query', 'true', true)`,
        values: [operation],
      })
      return work(query)
    })
  } catch (error) {
    throw asStorageError(error)
  }
}

class Undo extends Error {}

/** Whether the member could do it: does it and undoes it. @throws what doing it would throw */
export async function tryAs(
  database: Database,
  caller: Caller,
  operation: string,
  statement: Statement,
): Promise<void> {
  try {
    await workAs(database, caller, operation, async (query) => {
      await query(statement)
      throw new Undo()
    })
  } catch (error) {
    if (!(error instanceof Undo)) throw error
  }
}

/** What Postgres refuses in the words of storage. Anything unforeseen stays as it is and becomes a plain 500. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  const { code, constraint } = error as { code?: string; constraint?: string }
  if (code === '42501') return storageErrors.accessDenied({ cause: error })
  if (code === '23505') return storageErrors.alreadyExists({ cause: error })
  if (code === '23503')
    return constraint === 'objects_bucket_id_fkey'
      ? storageErrors.noSuchBucket({ cause: error })
      : storageErrors.invalidRequest('The related resource does not exist', { cause: error })
  if (code === '23514')
    return storageErrors.invalidRequest('A limit does not hold', { cause: error })
  return error
}
