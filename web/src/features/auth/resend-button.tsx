import { useState } from 'react'
import { auth } from '#lib/auth.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf, notifyError } from '#lib/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { showToast } from '#ui/toast-store.ts'
import { verifyPage } from './sign-up.ts'
import { useCooldown } from './use-cooldown.ts'

/** The service sends one mail a minute to an address; asking sooner would only be refused. */
const COOLDOWN_S = 60

export function ResendButton({ email }: { email: string }) {
  const cooldown = useCooldown(COOLDOWN_S)
  const [isSending, setIsSending] = useState(false)

  async function resend() {
    setIsSending(true)
    const { error } = await auth.resend({
      type: 'signup',
      email,
      options: { emailRedirectTo: verifyPage() },
    })
    setIsSending(false)
    if (error) return notifyError(m.auth_resend_failed({ message: messageOf(error) }))
    showToast(m.auth_mail_sent_again())
    cooldown.start()
  }

  return (
    <Button
      variant="tint"
      size="lg"
      isWaiting={isSending || cooldown.left > 0}
      onClick={() => void resend()}
    >
      {cooldown.left > 0
        ? m.auth_resend_email_in({ seconds: cooldown.left })
        : m.auth_resend_email()}
    </Button>
  )
}
