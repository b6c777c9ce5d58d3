import { useUserId } from '#data/session/session.ts'
import { RemovalSheet } from '#domain/removal-sheet.tsx'
import type { Message } from '#features/chat/model/chat-types.ts'
import { m } from '#lib/messages/messages.js'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { useMessageActions } from './use-message-actions.ts'

type DeleteMessageDialogProps = { message: Message; onClose: () => void }

/** Confirms deleting the member's own message, or asks a leader for the reason. */
export function DeleteMessageDialog({ message, onClose }: DeleteMessageDialogProps) {
  const isOwn = message.sender_id === useUserId()
  const { remove, showRemoved } = useMessageActions()

  function removeOwn() {
    void remove(message)
    onClose()
  }

  if (isOwn) {
    return (
      <ConfirmDialog
        open
        title={m.chat_delete_title()}
        text={m.chat_delete_text()}
        confirmLabel={m.chat_delete()}
        onConfirm={removeOwn}
        onCancel={onClose}
        isDestructive
      />
    )
  }
  return (
    <RemovalSheet
      messageId={message.id}
      onRemoved={(reason) => showRemoved(message, reason)}
      onClose={onClose}
    />
  )
}
