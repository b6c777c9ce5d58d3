import { isMuted } from '#lib/chat-muting.ts'
import type { ChatSummary } from './chat-types.ts'

/** Unread messages over all listed chats; a muted chat keeps its own badge but does not call. */
export function totalUnread(chats: readonly ChatSummary[], now: number): number {
  return chats
    .filter((chat) => !isMuted(chat, now))
    .reduce((total, chat) => total + chat.unread_count, 0)
}
