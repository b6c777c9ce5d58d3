import { ResendButton } from '#domain/resend-button.tsx'
import { m } from '#lib/messages/messages.js'
import { getLocale } from '#lib/messages/runtime.js'
import { resendConfirmation } from './sign-up.ts'

type AfterRefusalProps = { code?: string | undefined; email?: string }

/** What to do after the service refused to sign in: a new mail, or a word with an admin. */
export function AfterRefusal({ code, email = '' }: AfterRefusalProps) {
  if (code === 'email_not_confirmed')
    return <ResendButton resend={() => resendConfirmation(email)} />
  // In other languages the refusal itself says so.
  return getLocale() === 'en' && <p className="text-small text-muted">{m.server_banned()}</p>
}
