import { isMuted } from '#domain/chat-muting.ts'
import { useUserId } from '#lib/supabase/session.ts'
import { useNow } from '#lib/use-now.ts'
import type { ChatSummary } from './chat-types.ts'
import { useLiveChats } from './live/use-live-chats.ts'
import { useChats } from './use-chats.ts'

/**
 * Unread messages for the navigation badge, live; undefined until known. Fails silently on purpose: a badge
 * isn't worth an alert, and the chat list reports the same error.
 */
export function useUnreadCount(): number | undefined {
  const memberId = useUserId()
  useLiveChats(memberId)
  const { chats } = useChats(memberId)
  const now = useNow()
  return chats && totalUnread(chats, now)
}

/** Unread messages in the chats under All; a muted chat keeps its own badge but isn't in the total. */
export function totalUnread(chats: readonly ChatSummary[], now: number): number {
  return chats
    .filter((chat) => !chat.is_archived && !isMuted(chat, now))
    .reduce((total, chat) => total + chat.unread_count, 0)
}
