import { lazy, Suspense, useState } from 'react'
import { Navigate, useLocation, type Location } from 'react-router'
import { auth } from '#data/session/auth.ts'
import { useSession } from '#data/session/session.ts'
import { ForgotPasswordLink } from '#domain/forgot-password-link.tsx'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { getReturnTo } from '#lib/return-to.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { loginSchema } from './account-schemas.ts'
import { AuthLayout } from './auth-layout.tsx'
import { EmailField } from './email-field.tsx'

// Few need it, and everybody loads this screen first.
const ConfirmAgain = lazy(async () => ({
  default: (await import('./confirm-again.tsx')).ConfirmAgain,
}))

export function LoginScreen() {
  const session = useSession()
  const { state: from } = useLocation() as Location<{ wasWaiting?: boolean; email?: string } | null>
  const [unconfirmed, setUnconfirmed] = useState('')
  const [email, setEmail] = useState(from?.email ?? '')
  const form = useSendingForm({
    schema: loginSchema,
    defaultValues: { email, password: '' },
    send: async ({ email, password }) => {
      const result = await (await auth()).signInWithPassword({ email, password })
      setUnconfirmed(result.error?.code === 'email_not_confirmed' ? email : '')
      return result
    },
    refusal: (message) => m.auth_login_failed({ message }),
  })

  // The session arrives before the minimum busy time is over; wait for it, then go on, like a visitor with a
  // session.
  if (session.status === 'signed-in' && !form.isBusy) {
    const { path, state } = getReturnTo()
    return <Navigate to={path} state={state} replace />
  }

  const ended =
    session.status === 'signed-out' && session.ended && whyEnded(session.ended, from?.wasWaiting)
  return (
    <AuthLayout title={m.auth_welcome_back()} text={m.auth_sign_in_to_team()}>
      <form noValidate onSubmit={form.submit} className="grid gap-5">
        <EmailField
          {...form.field('email')}
          onInput={(event) => setEmail(event.currentTarget.value)}
        />
        <div className="grid gap-1.5">
          <PasswordField
            label={m.auth_password()}
            autoComplete="current-password"
            {...form.field('password')}
          />
          <ForgotPasswordLink email={email} />
        </div>
        <FormError text={form.error ?? (ended || undefined)} />
        {unconfirmed && (
          <Suspense>
            <ConfirmAgain email={unconfirmed} />
          </Suspense>
        )}
        <Button type="submit" size="lg" busyText={form.isBusy && m.auth_logging_in()}>
          {m.auth_login()}
        </Button>
        <NavigationButton to="/create-account" variant="ghost" size="lg">
          {m.auth_create_account()}
        </NavigationButton>
      </form>
    </AuthLayout>
  )
}

function whyEnded(ended: 'elsewhere' | 'gone', wasWaiting = false): string {
  if (ended === 'elsewhere') return m.auth_session_ended()
  return wasWaiting ? m.auth_declined() : m.server_banned()
}
