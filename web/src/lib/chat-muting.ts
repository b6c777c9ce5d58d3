import { database } from './supabase.ts'

type Mutable = { muted_until: string | null }

/** `infinity` is how Postgres writes "for good". */
export function isMuted({ muted_until }: Mutable, now: number): boolean {
  return muted_until === 'infinity' || (muted_until !== null && Date.parse(muted_until) > now)
}

/** No push and no part in the badge, for good or until unmuted. */
export async function setMuted(memberId: string, chatId: string, isMuted: boolean): Promise<void> {
  const { error } = await database
    .from('chat_participants')
    .update({ muted_until: isMuted ? 'infinity' : null })
    .eq('chat_id', chatId)
    .eq('user_id', memberId)
  if (error) throw error
}
