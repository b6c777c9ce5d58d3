import { useState, type FormEvent } from 'react'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { useMemberChange } from './use-member-change.ts'

type Props = {
  submitLabel: string
  hint: string
  /** The most characters that the database takes. */
  longest: number
  change: (reason: string) => Promise<void>
  onDone: () => void
}

/** Asks for a reason, without which nothing changes. */
export function ReasonForm({ submitLabel, hint, longest, change, onDone }: Props) {
  const [reason, setReason] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const changing = useMemberChange(change)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (changing.isPending) return
    if (!reason.trim()) return setIsMissing(true)
    changing.mutate(reason, { onSuccess: onDone })
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <UnsavedChanges when={reason !== '' && !changing.isSuccess} />
      <TextArea
        label={m.members_reason()}
        hint={hint}
        error={isMissing && !reason.trim() ? m.members_reason_missing() : undefined}
        maxLength={longest}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button
        type="submit"
        size="lg"
        variant="danger"
        busyText={changing.isPending && m.members_saving()}
      >
        {submitLabel}
      </Button>
    </form>
  )
}
