import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { callFunction } from '#data/call-function.ts'
import { useUserId } from '#data/session/session.ts'
import { chatListQuery } from '#features/chat/model/chat-queries.ts'
import { isUnread, type ChatSummary } from '#features/chat/model/chat-types.ts'
import { withChatMarked } from '#features/chat/model/patch-chat-list.ts'
import { readMarksOf, untilNotReading, useReadingChat } from '#features/chat/model/reading-chat.ts'
import { refreshChats } from '#features/chat/model/show-undo.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'

/** Marks a chat as unread, or as read without opening it. */
export function useUnreadMark(chat: ChatSummary) {
  const { chat_id: id } = chat
  const client = useQueryClient()
  const navigate = useNavigate()
  const { queryKey } = chatListQuery(useUserId())
  const isOpen = useReadingChat() === id
  const { mutate } = useMutation({
    // After the read marks of the thread, however long they take.
    scope: readMarksOf(id),
    mutationFn: (unread: boolean) =>
      callFunction(unread ? 'mark_chat_unread' : 'mark_chat_read', { chat_id: id }),
    onMutate: (unread) =>
      client.setQueryData(queryKey, (chats) => chats && withChatMarked(chats, id, unread)),
    onError: (error) => showError(m.chat_error_changing(), error),
    onSettled: refreshChats,
  })

  async function mark(unread: boolean) {
    // What is on the screen is read, so the chat is closed first.
    if (unread && isOpen) {
      void navigate('/chat')
      await untilNotReading(id)
    }
    mutate(unread)
  }

  return { isUnread: !isOpen && isUnread(chat), mark }
}
