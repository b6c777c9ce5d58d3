import { useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Modal } from '#ui/modal.tsx'
import { TextField } from '#ui/text-field.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'

const REASON_LIMIT = 200

type RemovalSheetProps = {
  messageId: string
  onRemoved: (reason: string) => void
  onClose: () => void
}

/** Asks a leader why, and removes somebody else's message. Everybody sees that it was removed, its sender also why. */
export function RemovalSheet({ messageId, onRemoved, onClose }: RemovalSheetProps) {
  const [reason, setReason] = useState('')
  const [isRemoving, setIsRemoving] = useState(false)

  // Open until it is done, so that a reason survives a lost connection. Removing twice is once.
  async function remove() {
    const given = reason.trim()
    setIsRemoving(true)
    try {
      await callFunction('remove_message', { message_id: messageId, reason: given })
      onRemoved(given)
      onClose()
    } catch (error) {
      showError(m.chat_error_changing_message(), error)
      setIsRemoving(false)
    }
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
          onClick={() => void remove()}
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
