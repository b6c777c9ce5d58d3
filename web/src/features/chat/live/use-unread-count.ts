import { useUserId } from '#data/session/session.ts'
import { notificationLevel } from '#domain/chat-muting.ts'
import { isUnread, type ChatSummary } from '#features/chat/model/chat-types.ts'
import { useChats } from '#features/chat/model/use-chats.ts'
import { useNow } from '#lib/use-now.ts'
import { useLiveChats } from './use-live-chats.ts'

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

/**
 * Unread messages in the chats under All; a chat marked as unread counts as one at least. A muted chat keeps its own
 * badge but isn't in the total (product.md P77), and one with mentions only counts as one while there is an unread one.
 */
export function totalUnread(chats: readonly ChatSummary[], now: number): number {
  return chats
    .filter((chat) => !chat.is_archived)
    .reduce((total, chat) => total + countOf(chat, now), 0)
}

function countOf(chat: ChatSummary, now: number): number {
  const level = notificationLevel(chat, now)
  if (level === 'nothing') return 0
  if (level === 'mentions') return Number(Boolean(chat.is_mentioned || chat.is_marked_unread))
  return Math.max(chat.unread_count, Number(isUnread(chat)))
}
