import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { callFunction } from '#lib/call-function.ts'
import { newId } from '#lib/new-id.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import type { NewChat } from './check-new-chat.ts'

/** Creates the chat, or finds the individual chat there already is, and opens it. */
export function useCreateChat() {
  const client = useQueryClient()
  const navigate = useNavigate()
  // One id for all tries: after a lost answer the second try finds what the first one made.
  const [messageId] = useState(newId)

  const { mutate, isPending } = useMutation({
    mutationFn: ({ members, groupName, firstMessage }: NewChat) =>
      callFunction<string>('create_chat', {
        member_ids: members.map(({ id }) => id),
        name: members.length > 1 ? groupName.trim() : null,
        first_message: firstMessage.trim(),
        message_id: messageId,
      }),
    onSuccess: (chatId) => {
      void client.invalidateQueries({ queryKey: ['chats'] })
      void client.invalidateQueries({ queryKey: ['users', 'own'] })
      void navigate(`/chat/${chatId}`, { replace: true })
    },
    onError: (error) => showError(m.chat_error_creating(), error),
    // Offline, the call fails and says so, instead of waiting unseen.
    networkMode: 'always',
  })
  return { create: mutate, isCreating: isPending }
}
