import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'

/** Below a password field: leads to where a new one is mailed to this address. */
export function ForgotPasswordLink({ email, onClick }: { email: string; onClick?: () => void }) {
  return (
    <Link
      to="/forgot-password"
      state={{ email }}
      onClick={onClick}
      className="-my-1.5 flex min-h-target items-center justify-self-end text-note font-semibold text-primary hover:underline"
    >
      {m.auth_forgot_password_link()}
    </Link>
  )
}
