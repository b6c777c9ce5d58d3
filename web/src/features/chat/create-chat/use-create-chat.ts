import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { callFunction } from '#data/call-function.ts'
import { useUserId } from '#data/session/session.ts'
import type { Member } from '#features/chat/model/chat-types.ts'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { showError } from '#lib/server/notify-error.ts'
import type { NewChat } from './check-new-chat.ts'
import { forgetNewChat } from './new-chat-draft.ts'

/** Creates the chat, or finds the existing individual chat, and opens it. `person`: with whom it was begun. */
export function useCreateChat(person?: Member) {
  const client = useQueryClient()
  const memberId = useUserId()
  const navigate = useNavigate()
  // One id for all attempts: after a lost response, a retry finds what the first attempt created.
  const [messageId] = useState(newId)

  // Set at once, unlike `isPending`, so that a double click sends one request.
  const isSending = useRef(false)

  const { mutate, isPending } = useMutation({
    mutationFn: ({ members, groupName, firstMessage }: NewChat) =>
      callFunction('create_chat', {
        member_ids: members.map(({ id }) => id),
        name: members.length > 1 ? groupName.trim() : null,
        first_message: firstMessage.trim(),
        message_id: messageId,
      }),
    onSuccess: (chatId) => {
      forgetNewChat(memberId, person)
      void client.invalidateQueries({ queryKey: ['chats'] })
      void client.invalidateQueries({ queryKey: ['users', 'own'] })
      void navigate(`/chat/${chatId}`, { replace: true })
    },
    onError: (error) => {
      isSending.current = false
      showError(m.chat_error_creating(), error)
    },
    // Offline, the call fails with a message instead of waiting unseen.
    networkMode: 'always',
  })

  function create(newChat: NewChat) {
    if (isSending.current) return
    isSending.current = true
    mutate(newChat)
  }

  return { create, isCreating: isPending }
}
