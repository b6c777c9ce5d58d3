import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { type Chat, chatListQuery, chatQuery } from '#features/chat/model/chat-queries.ts'
import type { ChatSummary } from '#features/chat/model/chat-types.ts'
import { messagesQuery } from '#features/chat/model/message-queries.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { ChatNotFound } from './chat-not-found.tsx'
import { LoadingThread } from './loading-thread.tsx'
import { Thread } from './thread.tsx'

/** A chat by its address: the thread, as soon as the list or the server knows it, or that it was not found. */
export function ThreadPane({ chatId }: { chatId: string }) {
  const navigate = useNavigate()
  const memberId = useUserId()
  const { data: listed } = useQuery({
    ...chatListQuery(memberId),
    select: (chats) => chats.find((chat) => chat.chat_id === chatId),
  })
  const loaded = useQuery({
    ...chatQuery(chatId),
    placeholderData: listed && asListed(listed),
  })
  // Loaded together with the chat itself.
  const messages = useQuery(messagesQuery(chatId, memberId))
  const chat = loaded.data
  // No messages can be read of a chat that isn't found.
  const failed = failureOf(loaded) ?? (chat ? failureOf(messages) : null)

  useEffect(() => {
    if (!failed) return
    showError(m.chat_error_loading_chat(), failed)
    void navigate('/chat', { replace: true })
  }, [failed, navigate])

  if (chat === null) return <ChatNotFound chatId={chatId} />
  if (chat === undefined || failed) return <LoadingThread />
  return <Thread chat={chat} />
}

/** A chat as the list knows it, without what only its details show. */
function asListed({ chat_id, name, type }: ChatSummary): Chat {
  return { id: chat_id, name, type, created_by: null, is_active: true }
}

/** An error that leaves nothing to show; after a failed refresh the loaded data still is. */
function failureOf({ data, error }: { data: unknown; error: unknown }): unknown {
  return data === undefined ? error : null
}
