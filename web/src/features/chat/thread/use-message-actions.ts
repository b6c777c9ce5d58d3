import { useQueryClient } from '@tanstack/react-query'
import type { Message } from '#features/chat/chat-types.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import { useUserId } from '#lib/session.ts'
import { addReaction, deleteMessage, removeReaction } from './message-changes.ts'
import { messagesQuery } from './message-queries.ts'
import { withOwnReaction } from './reactions.ts'

/** What a member does to a message that is there: shown at once, taken back when refused. */
export function useMessageActions() {
  const client = useQueryClient()
  const memberId = useUserId()

  function change(message: Message, update: (message: Message) => Message) {
    client.setQueryData(messagesQuery(message.chat_id, memberId).queryKey, (window) => {
      if (!window) return window
      const messages = window.messages.map((each) => (each.id === message.id ? update(each) : each))
      return { ...window, messages }
    })
  }

  function react(message: Message, emoji: string) {
    const isOn = !message.my_reactions?.includes(emoji)
    change(message, (each) => withOwnReaction(each, emoji, isOn))
    const request = isOn
      ? addReaction(message.id, memberId, emoji)
      : removeReaction(message.id, memberId, emoji)
    request.catch((error: unknown) => {
      change(message, (each) => withOwnReaction(each, emoji, !isOn))
      showError(m.chat_error_changing_message(), error)
    })
  }

  async function remove(message: Message, reason: string | null) {
    try {
      await deleteMessage(message, reason)
      change(message, (each) => ({ ...each, is_deleted: true, deleted_reason: reason }))
    } catch (error) {
      showError(m.chat_error_changing_message(), error)
    }
  }

  return { react, remove }
}
