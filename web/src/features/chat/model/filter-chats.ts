import { isUnread, type ChatSummary } from './chat-types.ts'

export type ChatFilter = 'all' | 'individual' | 'groups' | 'archived'

/** The mandatory chat counts as a group. Archived chats only appear under their own filter. */
export function filterChats(chats: readonly ChatSummary[], filter: ChatFilter): ChatSummary[] {
  return chats.filter((chat) => chat.is_archived === (filter === 'archived') && fits(chat, filter))
}

/** Of these, the chats with something unread; the open one stays while it is read. */
export function unreadChats(
  chats: readonly ChatSummary[],
  openChatId: string | null,
): ChatSummary[] {
  return chats.filter((chat) => isUnread(chat) || chat.chat_id === openChatId)
}

function fits(chat: ChatSummary, filter: ChatFilter): boolean {
  if (filter === 'individual') return chat.type === 'individual'
  if (filter === 'groups') return chat.type !== 'individual'
  return true
}

/** Chats whose title contains the search, or that have a matching participant according to the server. */
export function matchChats(
  chats: readonly ChatSummary[],
  search: string,
  withMember: Pick<ReadonlySet<string>, 'has'>,
): ChatSummary[] {
  if (!search.trim()) return [...chats]
  return chats.filter((chat) => isCalled(chat, search) || withMember.has(chat.chat_id))
}

export function isCalled({ title }: Pick<ChatSummary, 'title'>, search: string): boolean {
  return plain(title).includes(plain(search))
}

// "sofia" finds "Sofía": normalizing separates accents, which are then dropped.
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
