import type { Database } from './database.ts'
import { database } from './supabase.ts'

type Functions = Database['public']['Functions']
type Name = keyof Functions
type Arguments<Called extends Name> =
  Record<string, never> extends Functions[Called]['Args']
    ? [values?: Functions[Called]['Args'], signal?: AbortSignal]
    : [values: Functions[Called]['Args'], signal?: AbortSignal]

/** Calls a database function and returns its result. Throws the error it raises, and a TypeError when offline. */
export async function callFunction<Called extends Name>(
  name: Called,
  ...[values, signal]: Arguments<Called>
): Promise<Functions[Called]['Returns']> {
  const call = database.rpc(name, values)
  const response = await (signal ? call.abortSignal(signal) : call).throwOnError()
  // The client's result type cannot be resolved while the function's name is generic.
  const result: unknown = response.data
  return result as Functions[Called]['Returns']
}
