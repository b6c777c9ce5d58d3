import { expect } from 'vitest'
import type { Person } from './team.ts'

/** Publishes a notice to everyone, or as `more` says; returns its id. */
export async function publishNotice(
  admin: Person,
  more: Record<string, unknown> = {},
): Promise<string> {
  const { data, error } = await admin.client
    .from('team_notices')
    .insert({ title: 'Kick-off at nine', body: 'In the big room', ...more } as never)
    .select('id')
    .single()
  expect(error).toBeNull()
  return (data as unknown as { id: string }).id
}
