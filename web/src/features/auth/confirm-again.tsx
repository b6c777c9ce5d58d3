import { ResendButton } from '#domain/resend-button.tsx'
import { resendConfirmation } from './sign-up.ts'

/** A new mail for somebody whose address is not confirmed yet. */
export function ConfirmAgain({ email }: { email: string }) {
  return <ResendButton resend={() => resendConfirmation(email)} />
}
