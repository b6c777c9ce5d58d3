import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/server/notify-error.ts'
import { useSingleRun } from '#lib/use-single-run.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'

/** Characters, as the database takes them. */
const LONGEST = 500

type Props = {
  hint: string
  submitLabel: string
  isDestructive?: boolean
  /** What has to be chosen first; above the reason. */
  children?: ReactNode
  /** Why nothing can be done yet. */
  missing?: string | undefined
  change: (reason: string) => Promise<void>
  onDone: () => void
}

/** Asks for the reason for a change of a hold, which the archive keeps. */
export function HoldReason({
  hint,
  submitLabel,
  isDestructive,
  children,
  missing,
  change,
  onDone,
}: Props) {
  const queryClient = useQueryClient()
  const [reason, setReason] = useState('')
  const [wasTried, setWasTried] = useState(false)
  const run = useSingleRun(async (given: string) => {
    await change(given)
    onDone()
  })
  const changing = useMutation({
    mutationFn: run,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['records'] }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setWasTried(true)
    if (missing || !reason.trim()) return
    changing.mutate(reason)
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <UnsavedChanges when={reason !== '' && !changing.isSuccess} />
      {children}
      <TextArea
        label={m.records_reason()}
        hint={hint}
        error={wasTried && !reason.trim() ? m.records_reason_missing() : undefined}
        maxLength={LONGEST}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <FormError
        text={
          changing.error ? messageOf(changing.error) : wasTried && missing ? missing : undefined
        }
      />
      <Button
        type="submit"
        size="lg"
        variant={isDestructive ? 'danger' : 'primary'}
        busyText={changing.isPending && m.records_saving()}
      >
        {submitLabel}
      </Button>
    </form>
  )
}
