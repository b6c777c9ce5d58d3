import { useQuery } from '@tanstack/react-query'
import { withChatRead } from './chat-list/patch-chat-list.ts'
import { chatListCopy, chatListQuery } from './chat-queries.ts'
import { useCopyState } from './read-or-copy.ts'
import { useReadingChat } from './reading-chat.ts'

/** The member's chats; the one on screen counts nothing as unread. */
export function useChats(memberId: string) {
  const query = useQuery(chatListQuery(memberId))
  const readingId = useReadingChat()
  const chats = query.data && readingId ? withChatRead(query.data, readingId) : query.data
  return { query, chats, isCopy: useCopyState(chatListCopy(memberId)).showsAge }
}
