import { database } from '#lib/supabase/supabase.ts'

type Mutable = { muted_until: string | null }

/** Postgres writes "forever" as `infinity`. */
export function isMuted({ muted_until }: Mutable, now: number): boolean {
  return muted_until === 'infinity' || (muted_until !== null && Date.parse(muted_until) > now)
}

/** No push and not counted in the badge, forever or until unmuted. */
export async function setMuted(memberId: string, chatId: string, isMuted: boolean): Promise<void> {
  const { error } = await database
    .from('chat_participants')
    .update({ muted_until: isMuted ? 'infinity' : null })
    .eq('chat_id', chatId)
    .eq('user_id', memberId)
  if (error) throw error
}
