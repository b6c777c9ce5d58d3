import type { User } from '@supabase/auth-js'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { needsPassword, useSession } from '#lib/session.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { TextField } from '#ui/text-field.tsx'
import { createAccountSchema } from './account-schemas.ts'
import { AuthLayout } from './auth-layout.tsx'
import { InvitedAccount } from './invited-account.tsx'
import { linkErrorOf } from './link-error.ts'
import { NameFields } from './name-fields.tsx'
import type { AccountPrefill, VerificationState } from './navigation-state.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { ReadingLink } from './reading-link.tsx'
import { signUp } from './sign-up.ts'
import { useSendingForm } from '#lib/use-sending-form.ts'

/** Opened by hand, or by the link of an invitation, which brings a session or the reason why not. */
export function CreateAccountScreen() {
  const { hash } = useLocation()
  const session = useSession()
  const [linkError] = useState(() => linkErrorOf(hash))
  const [hasToken] = useState(() => hash.includes('access_token='))
  // Kept: once the password is set the session says that nothing is missing, while the form is still busy.
  const [invited, setInvited] = useState<User>()

  if (invited) return <InvitedAccount user={invited} />
  if (session.status === 'signed-in' && needsPassword(session.session)) {
    setInvited(session.session.user)
  }
  if (hasToken && session.status === 'loading') return <ReadingLink />
  return <NewAccount notice={linkError && m.auth_invitation_expired()} />
}

function NewAccount({ notice }: { notice: string | undefined }) {
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
      {notice && <FormError text={notice} />}
      <form noValidate onSubmit={form.submit} className="grid gap-4">
        <NameFields register={form.register} />
        <TextField
          label={m.auth_email()}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.register('email')}
        />
        <NewPasswordFields register={form.register} />
        <FormError text={form.error} />
        <Button type="submit" size="lg" busyText={form.isBusy && m.auth_creating_account()}>
          {m.auth_verify_account()}
        </Button>
        <Link to="/" className="py-3 text-center font-semibold text-primary hover:underline">
          {m.auth_already_have_account()}
        </Link>
      </form>
    </AuthLayout>
  )
}
