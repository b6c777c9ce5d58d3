import { isUnread, type ChatSummary } from '#features/chat/model/chat-types.ts'

/** The mandatory chat first, then pinned chats, then unread ones, then by latest message (product.md P72). */
export function sortChats(chats: readonly ChatSummary[]): ChatSummary[] {
  return [...chats].sort(
    (a, b) =>
      Number(b.type === 'mandatory') - Number(a.type === 'mandatory') ||
      Number(b.is_pinned) - Number(a.is_pinned) ||
      Number(isUnread(b)) - Number(isUnread(a)) ||
      lastActivity(b) - lastActivity(a) ||
      a.title.localeCompare(b.title),
  )
}

// A chat without messages is sorted by its creation time.
function lastActivity(chat: ChatSummary): number {
  return Date.parse(chat.last_message_at ?? chat.created_at)
}
