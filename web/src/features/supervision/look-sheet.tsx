import { useState, type FormEvent } from 'react'
import { callFunction } from '#data/call-function.ts'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { Button } from '#ui/button.tsx'
import { Modal } from '#ui/modal.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { Conversation } from './conversation.tsx'
import { useSupervisionChange } from './use-supervision-change.ts'

type Props = { chat: { id: string; title: string }; onClose: () => void }

/** Asks why, records it, and shows the chat for an hour. */
export function LookSheet({ chat, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const [id] = useState(() => newId())
  const look = useSupervisionChange(() =>
    callFunction('look_at_chat', { chat_id: chat.id, reason, look_id: id }),
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!reason.trim()) return setIsMissing(true)
    if (!look.isPending) look.mutate(undefined)
  }

  return (
    <Modal
      open
      wide
      onClose={onClose}
      title={chat.title}
      description={look.isSuccess ? m.supervision_look_recorded() : m.supervision_look_text()}
    >
      {look.isSuccess ? (
        <Conversation lookId={id} />
      ) : (
        <form noValidate onSubmit={submit} className="grid gap-3">
          <UnsavedChanges when={reason !== ''} />
          <TextArea
            label={m.supervision_look_reason()}
            error={isMissing && !reason.trim() ? m.supervision_look_missing() : undefined}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <Button type="submit" size="lg" isWaiting={look.isPending}>
            {m.supervision_look()}
          </Button>
        </form>
      )}
    </Modal>
  )
}
