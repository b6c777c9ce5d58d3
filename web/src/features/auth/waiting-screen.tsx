import { DoorClosed, Hourglass, KeyRound } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { signOut } from '#data/session/session.ts'
import type { Membership } from '#domain/membership.ts'
import { m } from '#lib/messages/messages.js'
import { notifyError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { SetUpForm } from './set-up-form.tsx'
import { StatePicture } from './state-picture.tsx'

type WaitingScreenProps = {
  email: string
  membership: Membership
  /** Something may have changed: ask again now. */
  onChange: () => void
  /** What they may do with their account. */
  children: ReactNode
}

/** Says who can let them in, and opens by itself as soon as somebody has. */
export function WaitingScreen({ email, membership, onChange, children }: WaitingScreenProps) {
  const { icon, title, text } = wordsFor(membership)
  return (
    <AuthLayout picture={<StatePicture icon={icon} tone="waiting" />} title={title} text={text}>
      {membership.takes_set_up_code && <SetUpForm onDone={onChange} />}
      {!membership.takes_set_up_code && (
        <p role="status" className="flex items-center gap-3 py-2 font-medium text-muted">
          <Spinner className="flex-none text-primary" />
          {m.auth_waiting_opens()}
        </p>
      )}
      <div className="grid gap-1">
        <p className="text-note wrap-anywhere text-muted">{m.auth_waiting_as({ email })}</p>
        <LogOut />
      </div>
      {children}
    </AuthLayout>
  )
}

function wordsFor({ status, refusal, has_admin, takes_set_up_code }: Membership) {
  if (status !== 'waiting') {
    const isDomain = refusal === 'other_domain'
    return {
      icon: <DoorClosed />,
      title: isDomain ? m.auth_other_domain_title() : m.auth_invitation_only_title(),
      text: isDomain ? m.auth_other_domain_waiting() : m.auth_invitation_only_waiting(),
    }
  }
  if (has_admin) {
    return { icon: <Hourglass />, title: m.auth_waiting_title(), text: m.auth_waiting_text() }
  }
  return {
    icon: <KeyRound />,
    title: m.auth_set_up_title(),
    text: takes_set_up_code ? m.auth_set_up_text() : m.auth_set_up_by_operator(),
  }
}

function LogOut() {
  const [isLeaving, setIsLeaving] = useState(false)
  async function leave() {
    setIsLeaving(true)
    const { isSignedOut } = await signOut('local').catch(() => ({ isSignedOut: false }))
    if (isSignedOut) return
    setIsLeaving(false)
    notifyError(m.auth_code_sign_out_failed())
  }
  return (
    <Button
      variant="ghost"
      size="lg"
      busyText={isLeaving && m.auth_code_signing_out()}
      onClick={() => void leave()}
    >
      {m.auth_code_sign_out()}
    </Button>
  )
}
