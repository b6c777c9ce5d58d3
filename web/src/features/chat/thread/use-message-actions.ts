import { useQueryClient } from '@tanstack/react-query'
import { useUserId } from '#data/session/session.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import { messagesQuery } from '#features/chat/model/message-queries.ts'
import { showUndo } from '#features/chat/model/show-undo.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { deleteMessage, restoreMessage, setReaction } from './message-changes.ts'
import { withOwnReaction } from './reactions.ts'

/** A member's actions on an existing message, optimistic with rollback. */
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
    setReaction(message.id, memberId, emoji, isOn).catch((error: unknown) => {
      change(message, (each) => withOwnReaction(each, emoji, !isOn))
      showError(m.chat_error_changing_message(), error)
    })
  }

  /** Deletes an own message. */
  async function remove(message: Message) {
    try {
      await deleteMessage(message.id)
      change(message, (each) => ({ ...each, is_deleted: true }))
      // An image is gone for good.
      if (message.attachment) return
      showUndo(m.chat_deleted_notice(), async () => {
        await restoreMessage(message.id)
        change(message, (each) => ({ ...each, is_deleted: false }))
      })
    } catch (error) {
      showError(m.chat_error_changing_message(), error)
    }
  }

  /** A leader has removed somebody else's message. */
  function showRemoved(message: Message, deleted_reason: string) {
    change(message, (each) => ({ ...each, is_deleted: true, is_removed: true, deleted_reason }))
  }

  return { react, remove, showRemoved }
}
