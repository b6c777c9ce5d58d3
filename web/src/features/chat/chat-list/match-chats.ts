import type { ChatSummary } from '#features/chat/chat-types.ts'

/** Chats whose title holds the search, or that the server knows to have such a participant. */
export function matchChats(
  chats: readonly ChatSummary[],
  search: string,
  withMember: ReadonlySet<string>,
): ChatSummary[] {
  const wanted = plain(search)
  if (!wanted) return [...chats]
  return chats.filter((chat) => plain(chat.title).includes(wanted) || withMember.has(chat.chat_id))
}

// "sofia" finds "Sofía": accents are marks of their own after normalising, and are dropped.
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
