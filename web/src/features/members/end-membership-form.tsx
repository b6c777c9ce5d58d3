import { useState, type FormEvent } from 'react'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { useSetStatus } from './use-set-status.ts'

const LONGEST_REASON = 500

type Props = { id: string; status: 'suspended' | 'removed'; onDone: () => void }

/** Asks for the reason, which only admins see. */
export function EndMembershipForm({ id, status, onDone }: Props) {
  const [reason, setReason] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const change = useSetStatus()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (change.isPending) return
    if (!reason.trim()) return setIsMissing(true)
    change.mutate({ id, status, reason }, { onSuccess: onDone })
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <UnsavedChanges when={reason !== '' && !change.isSuccess} />
      <TextArea
        label={m.members_reason()}
        hint={m.members_reason_hint()}
        error={isMissing && !reason.trim() ? m.members_reason_missing() : undefined}
        maxLength={LONGEST_REASON}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button
        type="submit"
        size="lg"
        variant="danger"
        busyText={change.isPending && m.members_saving()}
      >
        {status === 'suspended' ? m.members_suspend() : m.members_remove()}
      </Button>
    </form>
  )
}
