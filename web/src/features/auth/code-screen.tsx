import type { Session } from '@supabase/auth-js'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { signOut } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { notifyError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { CodeForm } from './code-form.tsx'
import { RecoveryCodeForm } from './recovery-code-form.tsx'
import { StatePicture } from './state-picture.tsx'

type CodeScreenProps = {
  session: Session
  /** The app may have been open before the code was asked for. */
  onLeave?: () => Promise<void>
}

/** Asks for the second factor before anything of the team is shown. */
export function CodeScreen({ session, onLeave }: CodeScreenProps) {
  const [isRecovery, setIsRecovery] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)

  async function leave() {
    setIsLeaving(true)
    await onLeave?.().catch((error: unknown) =>
      console.warn('Could not delete offline copies', error),
    )
    const { isSignedOut } = await signOut('local').catch(() => ({ isSignedOut: false }))
    if (isSignedOut) return
    setIsLeaving(false)
    notifyError(m.auth_code_sign_out_failed())
  }

  return (
    <AuthLayout
      picture={<StatePicture icon={<ShieldCheck />} tone="waiting" />}
      title={isRecovery ? m.auth_recovery_title() : m.auth_code_title()}
      text={isRecovery ? m.auth_recovery_text() : m.auth_code_text()}
    >
      {isRecovery ? <RecoveryCodeForm /> : <CodeForm session={session} />}
      <div className="grid gap-1">
        <Button variant="plain" onClick={() => setIsRecovery(!isRecovery)}>
          {isRecovery ? m.auth_code_use_app() : m.auth_code_use_recovery()}
        </Button>
        <Button
          variant="plain"
          busyText={isLeaving && m.auth_code_signing_out()}
          onClick={() => void leave()}
        >
          {m.auth_code_sign_out()}
        </Button>
      </div>
      {isRecovery && <p className="text-note text-muted">{m.auth_recovery_none_left()}</p>}
    </AuthLayout>
  )
}
