import { KeyRound, ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { notifyError } from '#lib/notify-error.ts'
import { useSession } from '#lib/session.ts'
import { Button } from '#ui/button.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { UsernameForManagers } from '#ui/username-for-managers.tsx'
import { newPasswordSchema } from './account-schemas.ts'
import { AuthLayout } from './auth-layout.tsx'
import { FormError } from '#ui/form-error.tsx'
import { linkErrorOf } from './link-error.ts'
import { ReadingLink } from './reading-link.tsx'
import { setNewPassword } from './set-new-password.ts'
import { StatePicture } from './state-picture.tsx'
import { useSendingForm } from '#lib/use-sending-form.ts'

const REDIRECT_AFTER_MS = 2000

export function NewPasswordScreen() {
  const session = useSession()
  const [isUpdated, setIsUpdated] = useState(false)
  const form = useSendingForm({
    schema: newPasswordSchema,
    defaultValues: { password: '', confirmation: '' },
    send: setNewPassword,
    refusal: (message) => m.auth_update_failed({ message }),
    onSuccess: () => setIsUpdated(true),
  })

  if (isUpdated) return <Updated />
  // The token of the mailed link is still being read; only then is it known whether to bounce.
  if (session.status === 'loading') return <ReadingLink />
  // Saving ends every session, this one too, while the form is still busy.
  if (session.status === 'signed-out' && !form.isBusy) return <NoSession />

  return (
    <AuthLayout
      picture={<StatePicture icon={<KeyRound />} tone="waiting" />}
      title={m.auth_new_password()}
      text={m.auth_new_password_text()}
    >
      <form noValidate onSubmit={form.submit} className="grid gap-4">
        <UsernameForManagers
          email={session.status === 'signed-in' ? (session.session.user.email ?? '') : ''}
        />
        <PasswordField
          label={m.auth_new_password()}
          hint={m.auth_new_password_hint()}
          autoComplete="new-password"
          {...form.register('password')}
        />
        <PasswordField
          label={m.auth_confirm_new_password()}
          autoComplete="new-password"
          {...form.register('confirmation')}
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

function NoSession() {
  // Read while drawing: by the time effects run, the redirect has taken the hash away.
  const [linkError] = useState(() => linkErrorOf(location.hash))
  useEffect(() => {
    if (linkError) notifyError(m.auth_link_expired())
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
