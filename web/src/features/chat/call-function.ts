import { database } from '#lib/supabase.ts'

/** Calls a database function and gives its answer; a refusal is thrown. */
export async function callFunction<Answer>(name: string, values: object = {}): Promise<Answer> {
  const { data, error } = await database.rpc(name, values)
  if (error) throw error
  return data as Answer
}
