import type { User } from '@supabase/auth-js'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { needsPassword, useSession } from '#lib/supabase/session.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { createAccountSchema } from './account-schemas.ts'
import { AuthLayout } from './auth-layout.tsx'
import { EmailField } from './email-field.tsx'
import { InvitedAccount } from './invited-account.tsx'
import { NameFields } from './name-fields.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { linkErrorOf } from './reading-link.tsx'
import { ReadingLink } from './reading-link.tsx'
import type { AccountPrefill, VerificationState } from './sign-up.ts'
import { signUp } from './sign-up.ts'

/** Opened directly, or by an invitation link, which brings a session or an error. */
export function CreateAccountScreen() {
  const { hash } = useLocation()
  const session = useSession()
  const [linkError] = useState(() => linkErrorOf(hash))
  const [hasToken] = useState(() => hash.includes('access_token='))
  // Kept in state: once the password is set the session counts as complete while the form is still busy.
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
        <NameFields field={form.field} />
        <EmailField {...form.field('email')} />
        <NewPasswordFields field={form.field} />
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
