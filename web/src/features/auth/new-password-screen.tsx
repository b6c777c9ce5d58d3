import { KeyRound, ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { auth } from '#data/session/auth.ts'
import { needsCode } from '#data/session/second-factor.ts'
import { useSession, signOut } from '#data/session/session.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { notifyError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { UsernameForManagers } from '#ui/username-for-managers.tsx'
import { newPasswordSchema } from './account-schemas.ts'
import { AuthLayout } from './auth-layout.tsx'
import { CodeScreen } from './code-screen.tsx'
import { linkErrorOf, linkErrorText, ReadingLink } from './reading-link.tsx'
import { StatePicture } from './state-picture.tsx'

const REDIRECT_AFTER_MS = 2000

export function NewPasswordScreen() {
  const session = useSession()
  // Read during the first render: by the time effects run, a redirect has removed the hash.
  const [linkError] = useState(() => linkErrorOf(location.hash))
  const [isUpdated, setIsUpdated] = useState(false)
  const form = useSendingForm({
    schema: newPasswordSchema,
    defaultValues: { password: '', confirmation: '' },
    send: setNewPassword,
    refusal: (message) => m.auth_update_failed({ message }),
    onSuccess: () => setIsUpdated(true),
  })

  if (isUpdated) return <Updated />
  // The mailed link's token is still being read; only then is it known whether to redirect.
  if (session.status === 'loading') return <ReadingLink />
  // Saving ends every session, including this one, while the form is still busy.
  if (session.status === 'signed-out' && !form.isBusy) return <NoAccess linkError={linkError} />
  // The link failed, so the member signed in here did not ask to change their password (product.md P9).
  if (linkError) return <NoAccess linkError={linkError} />
  // A mailbox alone must not open an account that asks for a code.
  if (session.status === 'signed-in' && needsCode(session.session))
    return <CodeScreen session={session.session} />

  const email = session.status === 'signed-in' ? session.session.user.email : undefined
  return (
    <AuthLayout
      picture={<StatePicture icon={<KeyRound />} tone="waiting" />}
      title={m.auth_new_password()}
      text={email && <p className="wrap-anywhere">{m.auth_new_password_text({ email })}</p>}
    >
      <form noValidate onSubmit={form.submit} className="grid gap-4">
        <UsernameForManagers email={email ?? ''} />
        <PasswordField
          label={m.auth_new_password()}
          hint={m.auth_new_password_hint()}
          autoComplete="new-password"
          {...form.field('password')}
        />
        <PasswordField
          label={m.auth_confirm_new_password()}
          autoComplete="new-password"
          {...form.field('confirmation')}
        />
        <FormError text={form.error} />
        <Button type="submit" size="lg" busyText={form.isBusy && m.auth_saving_password()}>
          {m.auth_save_new_password()}
        </Button>
        <NavigationButton to="/" variant="plain">
          {m.auth_back_to_login()}
        </NavigationButton>
      </form>
    </AuthLayout>
  )
}

function NoAccess({ linkError }: { linkError: string | undefined }) {
  useEffect(() => {
    if (linkError) notifyError(linkErrorText(linkError))
  }, [linkError])
  return <Navigate to="/" replace />
}

function Updated() {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void navigate('/', { replace: true }), REDIRECT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <AuthLayout
      picture={<StatePicture icon={<ShieldCheck />} tone="done" />}
      title={m.auth_password_updated()}
      text={<p role="status">{m.auth_password_updated_text()}</p>}
    >
      {null}
    </AuthLayout>
  )
}

/**
 * Changes the password and ends every session, including this one: anyone with the old password is out, and
 * the member signs in with the new one.
 */
async function setNewPassword({ password }: { password: string }) {
  const { error } = await (await auth()).updateUser({ password })
  // The session began otherwise, or its link was opened more than 15 minutes ago.
  if (error?.code === 'current_password_required')
    return { error: { message: m.auth_new_password_needs_link() } }
  if (error) return { error }
  const ended = await signOut('global')
  if (ended.error) await signOut('local')
  return { error: null }
}
