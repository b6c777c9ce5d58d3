import type { DatabaseError, QueryResult } from 'pg'
import type { Context } from '#http/context.ts'
import type { Caller } from '#http/caller.ts'
import { ServiceError } from '#http/service-error.ts'
import type { Database } from '#postgres/database.ts'
import type { Query, Statement } from '#postgres/statement.ts'
import { storageErrors } from './errors.ts'

/** A read-only statement as the caller, in a single round trip. */
export async function queryAs(
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

/** A transaction as the caller; policies can read the operation with `storage.operation()`. */
export async function transactionAs<T>(
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

class Rollback extends Error {}

/** Checks whether the caller could run the statement: runs it and rolls back. @throws what running it would throw */
export async function dryRunAs(
  database: Database,
  caller: Caller,
  operation: string,
  statement: Statement,
): Promise<void> {
  try {
    await transactionAs(database, caller, operation, async (query) => {
      await query(statement)
      throw new Rollback()
    })
  } catch (error) {
    if (!(error instanceof Rollback)) throw error
  }
}

/** Maps a Postgres error to a storage error. An unknown one stays as it is and becomes a 500. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  const { code, constraint, routine, message } = error as DatabaseError
  // A message raised by the project's trigger is for the member; Postgres's own would reveal table names.
  if (code === '42501' && routine === 'exec_stmt_raise')
    return storageErrors.accessDenied({ cause: error }, message)
  if (code === '42501') return storageErrors.accessDenied({ cause: error })
  if (code === '23505') return storageErrors.alreadyExists({ cause: error })
  if (code === '23503')
    return constraint === 'objects_bucket_id_fkey'
      ? storageErrors.noSuchBucket({ cause: error })
      : storageErrors.invalidRequest('The related resource does not exist', { cause: error })
  // JSON and text that Postgres cannot store, such as a null character.
  if (code === '22P05' || code === '22P02')
    return storageErrors.invalidRequest('A value in the request is not valid', { cause: error })
  if (code === '23514')
    return storageErrors.invalidRequest('A limit does not hold', { cause: error })
  return error
}
