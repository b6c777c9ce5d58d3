import { useQueryClient } from '@tanstack/react-query'
import { useUserId } from '#data/session/session.ts'
import { chatQuery, type Chat } from '#features/chat/model/chat-queries.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import { usePermissions } from '#features/chat/model/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { setMessagePinned } from './message-changes.ts'
import { changePins } from './pins.ts'

/** Pinning and unpinning in a chat, shown at once; what is refused is read again. */
export function usePins(chat: Chat) {
  const client = useQueryClient()
  const memberId = useUserId()
  const { isAdmin, canSendMessages } = usePermissions()
  const isTheirs = chat.type === 'individual' || chat.created_by === memberId

  function run(request: Promise<void>) {
    request.catch((error: unknown) => {
      void client.invalidateQueries(chatQuery(chat.id))
      showError(m.chat_error_changing_message(), error)
    })
  }

  return {
    mayPin: canSendMessages && (isTheirs || isAdmin),
    pin({ id, sender_id, sent_at, message, attachment }: Message) {
      const pin = {
        message_id: id,
        created_by: memberId,
        created_at: new Date().toISOString(),
        message: { sender_id, sent_at, message, attachment },
      }
      changePins(client, chat.id, (pins) => [...pins.filter((each) => each.message_id !== id), pin])
      run(setMessagePinned(id, memberId, true))
    },
    unpin(messageId: string) {
      changePins(client, chat.id, (pins) => pins.filter((each) => each.message_id !== messageId))
      run(setMessagePinned(messageId, memberId, false))
    },
  }
}
