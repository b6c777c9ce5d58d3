import { useState } from 'react'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { TextField } from '#ui/text-field.tsx'
import { changeEmail } from './account-changes.ts'
import { emailSchema } from './profile-schemas.ts'
import { SheetForm } from './sheet-form.tsx'

/** Asks for a new address, and says where the link went that confirms it. */
export function EmailForm() {
  const [sentTo, setSentTo] = useState<string>()
  const form = useSendingForm({
    schema: emailSchema,
    defaultValues: { email: '' },
    send: changeEmail,
    refusal: (message) => m.profile_email_failed({ message }),
    isQuick: true,
    onSuccess: ({ email }) => setSentTo(email),
  })
  if (sentTo) return <p role="status">{m.profile_change_email_sent({ email: sentTo })}</p>
  return (
    <SheetForm form={form}>
      <p className="text-muted">{m.profile_change_email_text()}</p>
      <TextField
        label={m.profile_new_email()}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('email')}
      />
    </SheetForm>
  )
}
