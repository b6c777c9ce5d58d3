import { useState } from 'react'
import { ResendButton } from '#domain/resend-button.tsx'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { emailOnlySchema } from './account-schemas.ts'
import { EmailField } from './email-field.tsx'
import { resendConfirmation } from './sign-up.ts'

/** A new link for somebody whose link failed on a device that does not know their address. */
export function ResendForm() {
  const [sentTo, setSentTo] = useState<string>()
  const form = useSendingForm({
    schema: emailOnlySchema,
    defaultValues: { email: '' },
    send: ({ email }) => resendConfirmation(email),
    refusal: (message) => m.auth_resend_failed({ message }),
    isQuick: true,
    onSuccess: ({ email }) => setSentTo(email),
  })
  if (sentTo) {
    return (
      <>
        <p role="status" className="wrap-anywhere">
          {m.auth_mail_sent_to({ email: sentTo })}
        </p>
        <ResendButton resend={() => resendConfirmation(sentTo)} wasJustSent />
      </>
    )
  }
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-3">
      <p className="text-small text-muted">{m.auth_resend_text()}</p>
      <EmailField {...form.field('email')} />
      <FormError text={form.error} />
      <Button type="submit" variant="tint" size="lg" busyText={form.isBusy && m.ui_loading()}>
        {m.auth_resend_email()}
      </Button>
    </form>
  )
}
