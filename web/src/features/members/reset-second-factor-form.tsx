import { useState, type FormEvent } from 'react'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { showToast } from '#ui/toast-store.ts'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { useResetSecondFactor } from './use-set-status.ts'

const LONGEST_REASON = 200

/** Asks for the reason, which is kept with who reset it and when. */
export function ResetSecondFactorForm({ id, onDone }: { id: string; onDone: () => void }) {
  const [reason, setReason] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const reset = useResetSecondFactor()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (reset.isPending) return
    if (!reason.trim()) return setIsMissing(true)
    const onSuccess = () => {
      showToast(m.members_two_step_was_reset())
      onDone()
    }
    reset.mutate({ id, reason }, { onSuccess })
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <UnsavedChanges when={reason !== '' && !reset.isSuccess} />
      <TextArea
        label={m.members_reason()}
        hint={m.members_reset_two_step_hint()}
        error={isMissing && !reason.trim() ? m.members_reason_missing() : undefined}
        maxLength={LONGEST_REASON}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button
        type="submit"
        size="lg"
        variant="danger"
        busyText={reset.isPending && m.members_saving()}
      >
        {m.members_reset_two_step()}
      </Button>
    </form>
  )
}
