import { assertChanged } from '#lib/supabase/assert-changed.ts'
import type { Row } from '#lib/supabase/database.ts'
import { database } from '#lib/supabase/supabase.ts'

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
