import { database } from '#lib/supabase.ts'

/** Calls a database function and gives its answer; a refusal is thrown. */
export async function callFunction<Answer>(name: string, values: object = {}): Promise<Answer> {
  const answer = database.rpc(name, values)
  const { data, error }: { data: unknown; error: Error | null } = await answer
  if (error) throw error
  return data as Answer
}
