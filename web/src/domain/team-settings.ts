import { assertChanged } from '#data/assert-changed.ts'
import type { Row } from '#data/database.ts'
import { database } from '#data/supabase.ts'

/** Changes settings of the team; throws where the member is no longer an admin. */
export async function updateTeamSettings(change: Partial<Row<'team_settings'>>): Promise<void> {
  const { data } = await database
    .from('team_settings')
    .update(change)
    .eq('id', true)
    .select('id')
    .throwOnError()
  assertChanged(data)
}
