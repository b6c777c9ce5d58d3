import { database } from '#lib/supabase/supabase.ts'

type Mutable = { muted_until: string | null }

/** Postgres writes "forever" as `infinity`. */
export function isMuted({ muted_until }: Mutable, now: number): boolean {
  return muted_until === 'infinity' || (muted_until !== null && Date.parse(muted_until) > now)
}

/** No push and not counted in the badge, forever or until unmuted. */
export function setMuted(memberId: string, chatId: string, isMuted: boolean): Promise<void> {
  return changePlace(memberId, chatId, { muted_until: isMuted ? 'infinity' : null })
}

/** What of a chat is pushed and counts: everything, what is meant for the member, or nothing. */
export type NotificationLevel = 'all' | 'mentions' | 'nothing'

// Copies of older versions of the app have no `mentions_only`.
type Leveled = Mutable & { mentions_only?: boolean | null }

export function notificationLevel(chat: Leveled, now: number): NotificationLevel {
  if (isMuted(chat, now)) return 'nothing'
  return chat.mentions_only ? 'mentions' : 'all'
}

export function setNotificationLevel(
  memberId: string,
  chatId: string,
  level: NotificationLevel,
): Promise<void> {
  // Unmuting goes back to what was chosen before.
  if (level === 'nothing') return setMuted(memberId, chatId, true)
  const change = { muted_until: null, mentions_only: level === 'mentions' }
  return changePlace(memberId, chatId, change)
}

async function changePlace(
  memberId: string,
  chatId: string,
  change: { muted_until: string | null; mentions_only?: boolean },
): Promise<void> {
  const { error } = await database
    .from('chat_participants')
    .update(change)
    .eq('chat_id', chatId)
    .eq('user_id', memberId)
  if (error) throw error
}
