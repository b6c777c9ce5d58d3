import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { useBlockedIds } from '#domain/blocked-people.ts'
import { chatQuery } from '#features/chat/chat-queries.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/supabase/notify-error.ts'
import { useUserId } from '#lib/supabase/session.ts'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { ChatNotFound } from './chat-not-found.tsx'
import { messagesQuery } from './message-queries.ts'
import { Thread } from './thread.tsx'

/** A chat by its address: loading, not found, or the thread. */
export function ThreadPane({ chatId }: { chatId: string }) {
  const navigate = useNavigate()
  const loaded = useQuery(chatQuery(chatId))
  // Loaded together with the chat itself, as is whom the thread hides.
  const messages = useQuery(messagesQuery(chatId, useUserId()))
  useBlockedIds()
  const chat = loaded.data
  // No messages can be read of a chat that isn't found.
  const failed = failureOf(loaded) ?? (chat ? failureOf(messages) : null)

  useEffect(() => {
    if (!failed) return
    showError(m.chat_error_loading_chat(), failed)
    void navigate('/chat', { replace: true })
  }, [failed, navigate])

  if (chat === null) return <ChatNotFound chatId={chatId} />
  if (chat === undefined || failed) {
    return (
      <div className="p-5">
        <SkeletonRows />
      </div>
    )
  }
  return <Thread chat={chat} />
}

/** An error that leaves nothing to show; after a failed refresh the loaded data still is. */
function failureOf({ data, error }: { data: unknown; error: unknown }): unknown {
  return data === undefined ? error : null
}
