import type { ChatSummary } from '#features/chat/chat-types.ts'

export type ChatFilter = 'all' | 'individual' | 'groups' | 'archived'

/** The mandatory chat counts as a group. Archived chats show under their own filter only. */
export function filterChats(chats: readonly ChatSummary[], filter: ChatFilter): ChatSummary[] {
  return chats.filter((chat) => chat.is_archived === (filter === 'archived') && fits(chat, filter))
}

function fits(chat: ChatSummary, filter: ChatFilter): boolean {
  if (filter === 'individual') return chat.type === 'individual'
  if (filter === 'groups') return chat.type !== 'individual'
  return true
}
