import { Link, Navigate } from 'react-router'
import { askedPage } from '#lib/asked-page.ts'
import { auth } from '#lib/auth.ts'
import { m } from '#lib/messages/messages.js'
import { useSession } from '#lib/session.ts'
import { Button } from '#ui/button.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { loginSchema } from './account-schemas.ts'
import { AuthLayout } from './auth-layout.tsx'
import { FormError } from '#ui/form-error.tsx'
import { useSendingForm } from '#lib/use-sending-form.ts'

export function LoginScreen() {
  const session = useSession()
  const form = useSendingForm({
    schema: loginSchema,
    defaultValues: { email: '', password: '' },
    send: ({ email, password }) => auth.signInWithPassword({ email, password }),
    refusal: (message) => m.auth_login_failed({ message }),
  })

  // The session is there before the busy time is over; then, as for a visitor who has one already, on we go.
  if (session.status === 'signed-in' && !form.isBusy) {
    const { path, state } = askedPage()
    return <Navigate to={path} state={state} replace />
  }

  return (
    <AuthLayout title={m.auth_welcome_back()} text={m.auth_sign_in_to_team()}>
      <form noValidate onSubmit={form.submit} className="grid gap-5">
        <TextField
          label={m.auth_email()}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.register('email')}
        />
        <div className="grid gap-1.5">
          <PasswordField
            label={m.auth_password()}
            autoComplete="current-password"
            {...form.register('password')}
          />
          <Link
            to="/forgot-password"
            className="-my-1.5 flex min-h-target items-center justify-self-end text-note font-semibold text-primary hover:underline"
          >
            {m.auth_forgot_password_link()}
          </Link>
        </div>
        <FormError text={form.error} />
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
