import { database } from '#data/supabase.ts'

type Mutable = { muted_until: string | null }

/** Postgres writes "forever" as `infinity`. */
export function isMuted({ muted_until }: Mutable, now: number): boolean {
  return muted_until === 'infinity' || (muted_until !== null && Date.parse(muted_until) > now)
}

/** What is changed of the member's place in a chat. */
export type MutingChange = { muted_until: string | null; mentions_only?: boolean }

/** No push and not counted in the badge, forever or until unmuted. */
export function muting(isMuted: boolean): MutingChange {
  return { muted_until: isMuted ? 'infinity' : null }
}

/** What of a chat is pushed and counts: everything, what is meant for the member, or nothing. */
type NotificationLevel = 'all' | 'mentions' | 'nothing'

// Copies of older versions of the app have no `mentions_only`.
type Leveled = Mutable & { mentions_only?: boolean | null }

export function notificationLevel(chat: Leveled, now: number): NotificationLevel {
  if (isMuted(chat, now)) return 'nothing'
  return chat.mentions_only ? 'mentions' : 'all'
}

export function levelChange(level: NotificationLevel): MutingChange {
  // Unmuting goes back to what was chosen before.
  if (level === 'nothing') return muting(true)
  return { muted_until: null, mentions_only: level === 'mentions' }
}

export async function saveMuting(
  memberId: string,
  chatId: string,
  change: MutingChange,
): Promise<void> {
  const { error } = await database
    .from('chat_participants')
    .update(change)
    .eq('chat_id', chatId)
    .eq('user_id', memberId)
  if (error) throw error
}
