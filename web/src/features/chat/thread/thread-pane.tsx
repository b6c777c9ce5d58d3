import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { chatQuery } from '#features/chat/chat-queries.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import { useUserId } from '#lib/session.ts'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { ChatNotFound } from './chat-not-found.tsx'
import { messagesQuery } from './message-queries.ts'
import { Thread } from './thread.tsx'

/** One chat by its address: loading, not there, or the thread. */
export function ThreadPane({ chatId }: { chatId: string }) {
  const navigate = useNavigate()
  // Beside the chat itself, not after it.
  usePrefetchQuery(messagesQuery(chatId, useUserId()))
  const { data: chat, error } = useQuery(chatQuery(chatId))
  const failed = error && chat === undefined ? error : null

  useEffect(() => {
    if (!failed) return
    showError(m.chat_error_loading_chat(), failed)
    void navigate('/chat', { replace: true })
  }, [failed, navigate])

  if (chat === null) return <ChatNotFound />
  if (chat === undefined) {
    return (
      <div className="p-5">
        <SkeletonRows />
      </div>
    )
  }
  return <Thread chat={chat} />
}
