import { useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Modal } from '#ui/modal.tsx'
import { TextField } from '#ui/text-field.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { useMessageActions } from './use-message-actions.ts'

const REASON_LIMIT = 200

type DeleteMessageDialogProps = { message: Message; onClose: () => void }

/** Confirms deleting the member's own message, or asks an admin for the reason. */
export function DeleteMessageDialog({ message, onClose }: DeleteMessageDialogProps) {
  const isOwn = message.sender_id === useUserId()
  const { remove } = useMessageActions()
  const [reason, setReason] = useState('')
  const [isRemoving, setIsRemoving] = useState(false)

  function deleteOwn() {
    void remove(message, null)
    onClose()
  }

  // Open until it is done, so that a reason survives a lost connection. Removing twice is once.
  async function removeWithReason() {
    setIsRemoving(true)
    if (await remove(message, reason.trim())) onClose()
    else setIsRemoving(false)
  }

  if (isOwn) {
    return (
      <ConfirmDialog
        open
        title={m.chat_delete_title()}
        text={m.chat_delete_text()}
        confirmLabel={m.chat_delete()}
        onConfirm={deleteOwn}
        onCancel={onClose}
        isDestructive
      />
    )
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={m.chat_remove_title()}
      description={m.chat_remove_text()}
      footer={
        <Button
          variant="danger"
          disabled={!reason.trim()}
          isWaiting={isRemoving}
          onClick={() => void removeWithReason()}
        >
          {m.chat_remove_message()}
        </Button>
      }
    >
      <UnsavedChanges when={reason.trim() !== ''} />
      <TextField
        label={m.chat_remove_reason()}
        value={reason}
        maxLength={REASON_LIMIT}
        onChange={(event) => setReason(event.target.value)}
      />
    </Modal>
  )
}
