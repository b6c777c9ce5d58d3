import type { User } from '@supabase/auth-js'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { DoorClosed, MailOpen } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { Link, useLocation, useNavigate, type Location } from 'react-router'
import { queryClient } from '#data/query-client.ts'
import { needsPassword, useSession } from '#data/session/session.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { createAccountSchema } from './account-schemas.ts'
import { AcceptsRules } from './accepts-rules.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { EmailField } from './email-field.tsx'
import { InvitationNotice, invitationStateQuery } from './invitation-notice.tsx'
import { InvitedAccount } from './invited-account.tsx'
import { NameFields } from './name-fields.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { linkErrorOf, ReadingLink } from './reading-link.tsx'
import { StatePicture } from './state-picture.tsx'
import type { AccountPrefill, VerificationState } from './sign-up.ts'
import { signUp } from './sign-up.ts'
import { useSignUpOutcome } from './use-sign-up-outcome.ts'

/** Opened directly, or by an invitation link, which brings a session or an error. */
export function CreateAccountScreen() {
  const { hash, search } = useLocation()
  const session = useSession()
  const [linkError] = useState(() => linkErrorOf(hash))
  // An invitation's link carries its ID.
  const invitationId = linkError ? new URLSearchParams(search).get('invitation') : null
  const [hasToken] = useState(() => hash.includes('access_token='))
  // Kept in state: once the password is set the session counts as complete while the form is still busy.
  const [invited, setInvited] = useState<User>()

  // So that nobody fills in the form for nothing.
  const outcome = useSignUpOutcome(undefined, session.status === 'signed-out')

  if (invited) return <InvitedAccount user={invited} />
  if (session.status === 'signed-in' && needsPassword(session.session)) {
    setInvited(session.session.user)
  }
  if (hasToken && session.status === 'loading') return <ReadingLink />
  const notice = invitationId ? (
    <InvitationNotice id={invitationId} />
  ) : (
    linkError && <FormError text={m.auth_invitation_expired()} />
  )
  const newAccount =
    outcome === 'invitation_only' ? (
      <InvitationOnly notice={notice} />
    ) : (
      <NewAccount notice={notice} />
    )
  if (!invitationId) return newAccount
  // Screens of visitors have none of their own.
  return (
    <QueryClientProvider client={queryClient}>
      <OwnInvitation id={invitationId} otherwise={newAccount} />
    </QueryClientProvider>
  )
}

/** For a dead link whose invitation is pending or accepted: the way on, without the sign-up form. Otherwise renders `otherwise`. */
function OwnInvitation({ id, otherwise }: { id: string; otherwise: ReactNode }) {
  const { data: state, isLoading } = useQuery(invitationStateQuery(id))
  if (isLoading) return <ReadingLink />
  if (state !== 'pending' && state !== 'accepted') return otherwise
  return (
    <AuthLayout
      picture={<StatePicture icon={<MailOpen />} tone="waiting" />}
      title={m.auth_invitation_title()}
    >
      <InvitationNotice id={id} />
      <NavigationButton to="/" size="lg" variant={state === 'accepted' ? 'primary' : 'ghost'}>
        {m.auth_back_to_login()}
      </NavigationButton>
    </AuthLayout>
  )
}

function NewAccount({ notice }: { notice: ReactNode }) {
  const { state: prefill, ...here } = useLocation() as Location<AccountPrefill | null>
  const navigate = useNavigate()
  const isDone = useRef(false)
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
      isDone.current = true
      const state: VerificationState = { firstName, lastName, email, userId }
      void navigate('/email-verify', { state })
    },
  })

  // A phone that is short of memory reloads the page after a look at another app.
  function keepTyped() {
    if (isDone.current) return
    const { firstName, lastName, email } = form.values
    const typed: AccountPrefill = { firstName, lastName, email }
    void navigate(here, { replace: true, state: typed })
  }

  return (
    <AuthLayout title={m.auth_create_account()} text={m.auth_create_account_text()}>
      {notice}
      <form noValidate onSubmit={form.submit} onBlur={keepTyped} className="grid gap-4">
        <NameFields field={form.field} />
        <EmailField {...form.field('email')} />
        <NewPasswordFields field={form.field} />
        <p className="text-note text-muted">{m.auth_messages_kept()}</p>
        <AcceptsRules />
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

function InvitationOnly({ notice }: { notice: ReactNode }) {
  return (
    <AuthLayout
      picture={<StatePicture icon={<DoorClosed />} tone="waiting" />}
      title={m.auth_invitation_only_title()}
      text={m.auth_invitation_only_text()}
    >
      {notice}
      <NavigationButton to="/" size="lg">
        {m.auth_back_to_login()}
      </NavigationButton>
    </AuthLayout>
  )
}
