import { database } from './supabase.ts'

/** Calls a database function and gives its answer; a refusal is thrown. */
export async function callFunction<Answer>(name: string, values: object = {}): Promise<Answer> {
  const reply = await database.rpc(name, values)
  if (reply.error) throw reply.error
  return reply.data as Answer
}
