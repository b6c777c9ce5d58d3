import { MailCheck, MailOpen, MailX } from 'lucide-react'
import { useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { needsPassword, useSession } from '#data/session/session.ts'
import { ResendButton } from '#domain/resend-button.tsx'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { linkErrorOf, linkErrorText } from './reading-link.tsx'
import { type AccountPrefill, resendConfirmation, type VerificationState } from './sign-up.ts'
import { ResendForm } from './resend-form.tsx'
import { StatePicture } from './state-picture.tsx'
import { useEmailVerified } from './use-email-verified.ts'
import { useSignUpOutcome } from './use-sign-up-outcome.ts'

export function EmailVerifyScreen() {
  const location = useLocation()
  const state = location.state as VerificationState | null
  const [linkError] = useState(() => linkErrorOf(location.hash))
  const isVerified = useEmailVerified(state?.userId)
  const session = useSession()
  // The link of an invitation: it confirms the address, and there is no password yet.
  if (session.status === 'signed-in' && needsPassword(session.session))
    return <Navigate to="/create-account" replace />
  if (isVerified) return <Verified email={state?.email} />
  if (linkError && !state?.email) return <FailedLink linkError={linkError} />
  return <Waiting state={state} linkError={linkError} />
}

/** The link failed on a device that does not know whose it was: there is no mail to wait for. */
function FailedLink({ linkError }: { linkError: string }) {
  return (
    <AuthLayout
      picture={<StatePicture icon={<MailX />} tone="waiting" />}
      title={m.auth_confirm_your_email()}
    >
      <FormError text={linkErrorText(linkError)} />
      {linkError !== 'user_banned' && (
        <>
          <ResendForm />
          <p className="text-small text-muted">{m.auth_confirmed_before()}</p>
        </>
      )}
      <NavigationButton to="/" variant="plain">
        {m.auth_back_to_login()}
      </NavigationButton>
    </AuthLayout>
  )
}

function Waiting(props: { state: VerificationState | null; linkError: string | undefined }) {
  const navigate = useNavigate()
  const { firstName, lastName, email } = props.state ?? {}

  function editEmail() {
    const prefill: AccountPrefill = {
      firstName: firstName ?? '',
      lastName: lastName ?? '',
      email: '',
    }
    void navigate('/create-account', { state: prefill })
  }

  return (
    <AuthLayout
      picture={<StatePicture icon={<MailOpen />} tone="waiting" />}
      title={m.auth_check_your_email()}
      text={
        <p className="wrap-anywhere">
          {m.auth_mail_sent_to({ email: email || m.auth_your_email() })}
        </p>
      }
    >
      <FormError text={props.linkError && linkErrorText(props.linkError)} />
      <p role="status" className="flex items-center gap-3 py-2 font-medium text-muted">
        <Spinner className="flex-none text-primary" />
        {m.auth_checking_verification()}
      </p>
      <div className="grid gap-3">
        {email ? (
          <ResendButton resend={() => resendConfirmation(email)} wasJustSent />
        ) : (
          <ResendForm />
        )}
        <Button variant="ghost" size="lg" onClick={editEmail}>
          {m.auth_edit_email()}
        </Button>
        <NavigationButton to="/" variant="plain">
          {m.auth_back_to_login()}
        </NavigationButton>
      </div>
    </AuthLayout>
  )
}

function Verified({ email }: { email: string | undefined }) {
  const outcome = useSignUpOutcome(email)
  // Where the link was opened, it has signed in.
  const isSignedIn = useSession().status === 'signed-in'
  return (
    <AuthLayout
      picture={<StatePicture icon={<MailCheck />} tone="done" />}
      title={m.auth_email_verified()}
      text={<p role="status">{m.auth_email_verified_text()}</p>}
    >
      {outcome === 'waiting' && <p role="status">{m.auth_email_verified_waiting()}</p>}
      <NavigationButton to="/" state={{ email }} size="lg">
        {isSignedIn ? m.auth_continue() : m.auth_continue_to_login()}
      </NavigationButton>
    </AuthLayout>
  )
}
