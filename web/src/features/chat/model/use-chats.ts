import { useQuery } from '@tanstack/react-query'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { withChatRead } from './patch-chat-list.ts'
import { chatListQuery } from './chat-queries.ts'
import { useReadingChat } from './reading-chat.ts'

/** The member's chats; the one on screen counts nothing as unread. */
export function useChats(memberId: string) {
  const query = useQuery(chatListQuery(memberId))
  const readingId = useReadingChat()
  const chats = query.data && readingId ? withChatRead(query.data, readingId) : query.data
  const { copiedAt } = useCopyState(chatListQuery(memberId))
  return { query, chats, isCopy: copiedAt !== undefined }
}
