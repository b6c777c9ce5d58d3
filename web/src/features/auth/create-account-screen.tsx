import { Link, useLocation, useNavigate } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { createAccountSchema } from './account-schemas.ts'
import { AuthLayout } from './auth-layout.tsx'
import { FormError } from '#ui/form-error.tsx'
import type { AccountPrefill, VerificationState } from './navigation-state.ts'
import { signUp } from './sign-up.ts'
import { useSendingForm } from '#lib/use-sending-form.ts'

export function CreateAccountScreen() {
  const prefill = useLocation().state as AccountPrefill | null
  const navigate = useNavigate()
  const form = useSendingForm({
    schema: createAccountSchema,
    defaultValues: {
      firstName: prefill?.firstName ?? '',
      lastName: prefill?.lastName ?? '',
      email: prefill?.email ?? '',
      password: '',
      confirmation: '',
    },
    send: signUp,
    refusal: (message) => m.auth_sign_up_failed({ message }),
    onSuccess: ({ firstName, lastName, email }, { userId }) => {
      const state: VerificationState = { firstName, lastName, email, userId }
      void navigate('/email-verify', { state })
    },
  })

  return (
    <AuthLayout title={m.auth_create_account()} text={m.auth_create_account_text()}>
      <form noValidate onSubmit={form.submit} className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={m.auth_first_name()}
            autoComplete="given-name"
            {...form.register('firstName')}
          />
          <TextField
            label={m.auth_last_name()}
            autoComplete="family-name"
            {...form.register('lastName')}
          />
        </div>
        <TextField
          label={m.auth_email()}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.register('email')}
        />
        <PasswordField
          label={m.auth_password()}
          hint={m.auth_new_password_hint()}
          autoComplete="new-password"
          {...form.register('password')}
        />
        <PasswordField
          label={m.auth_confirm_password()}
          autoComplete="new-password"
          {...form.register('confirmation')}
        />
        <FormError text={form.error} />
        <Button type="submit" size="lg" busyText={form.isBusy && m.auth_creating_account()}>
          {m.auth_verify_account()}
        </Button>
        <Link to="/" className="py-2.5 text-center font-semibold text-primary hover:underline">
          {m.auth_already_have_account()}
        </Link>
      </form>
    </AuthLayout>
  )
}
