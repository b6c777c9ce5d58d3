import type { FormEvent, ReactNode } from 'react'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'

type SheetFormProps = {
  form: {
    submit: (event: FormEvent) => void
    isBusy: boolean
    isDirty: boolean
    error: string | undefined
  }
  children: ReactNode
  saveLabel?: string
  busyText?: string
  isDestructive?: boolean
  /** Whether what was typed, such as a code, is worth nothing later: the dialog closes without asking. */
  isFleeting?: boolean
}

/** The form inside one of the profile's dialogs. */
export function SheetForm({
  form,
  children,
  saveLabel,
  busyText,
  isDestructive = false,
  isFleeting = false,
}: SheetFormProps) {
  return (
    <form noValidate onSubmit={form.submit} className="grid grid-cols-1 gap-3">
      <UnsavedChanges when={form.isDirty && !isFleeting} />
      {children}
      <FormError text={form.error} />
      <Button
        type="submit"
        size="lg"
        variant={isDestructive ? 'danger' : 'primary'}
        busyText={form.isBusy && (busyText ?? m.profile_saving())}
      >
        {saveLabel ?? m.profile_save()}
      </Button>
    </form>
  )
}
