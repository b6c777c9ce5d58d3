import type { ChatSummary } from './chat-types.ts'

const BADGE_CAP = 99

/** What a badge says: nothing at zero, at most "99+". */
export function unreadLabel(count: number): string | null {
  if (count <= 0) return null
  return count > BADGE_CAP ? `${BADGE_CAP}+` : String(count)
}

/** Unread messages over all listed chats; a muted chat keeps its own badge but does not call. */
export function totalUnread(chats: readonly ChatSummary[]): number {
  return chats
    .filter((chat) => !chat.is_muted)
    .reduce((total, chat) => total + chat.unread_count, 0)
}
