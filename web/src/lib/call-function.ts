import { database } from './supabase.ts'

/** Calls a database function and gives its answer; a refusal is thrown, and so is a lost connection (a TypeError). */
export async function callFunction<Answer>(name: string, values: object = {}): Promise<Answer> {
  const reply = await database.rpc(name, values).throwOnError()
  return reply.data as Answer
}
