import { LogOut } from 'lucide-react'
import { useId, useState } from 'react'
import { countUnsent, forgetMember } from '#data/kept/device-data.ts'
import { signOut, useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { notifyError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'

type Scope = 'local' | 'global'
type Leaving =
  | { step: 'no' }
  | { step: 'asking'; scope: Scope; lost: string }
  | { step: 'leaving'; scope: Scope; lost: string }

/** Signs out here or everywhere. Words that exist on this device alone are not thrown away without a question. */
export function LeavingActions() {
  const userId = useUserId()
  const hereId = useId()
  const [leaving, setLeaving] = useState<Leaving>({ step: 'no' })
  const isLeaving = leaving.step === 'leaving'
  const asked = leaving.step === 'no' ? null : leaving

  async function begin(scope: Scope) {
    const lost = await whatIsLost(userId)
    if (scope === 'global' || lost) setLeaving({ step: 'asking', scope, lost })
    else await leave(scope, lost)
  }

  async function leave(scope: Scope, lost: string) {
    setLeaving({ step: 'leaving', scope, lost })
    const { error, isSignedOut } = await signOut(scope).catch((thrown: unknown) => ({
      error: thrown,
      isSignedOut: false,
    }))
    // Also when the request failed: this device has no session any more.
    if (isSignedOut) await forgetMember(userId)
    if (!error) return
    console.error(error)
    setLeaving({ step: 'no' })
    notifyError(m.profile_sign_out_failed())
  }

  const isGlobal = asked?.scope === 'global'
  return (
    <div className="grid gap-3 pt-2">
      <Button
        size="lg"
        variant="danger-ghost"
        disabled={isLeaving && isGlobal}
        busyText={isLeaving && !isGlobal && m.profile_logging_out()}
        aria-describedby={hereId}
        onClick={() => void begin('local')}
      >
        <LogOut aria-hidden="true" className="size-5" />
        {m.profile_logout()}
      </Button>
      <p id={hereId} className="-mt-2 text-center text-note text-muted">
        {m.profile_logout_here()}
      </p>
      <Button variant="ghost" size="lg" onClick={() => void begin('global')}>
        {m.profile_sign_out_everywhere()}
      </Button>
      <ConfirmDialog
        open={asked !== null && (isGlobal || asked.lost !== '')}
        title={isGlobal ? m.profile_sign_out_everywhere() : m.profile_logout()}
        text={[isGlobal && m.profile_sign_out_everywhere_text(), asked?.lost]
          .filter(Boolean)
          .join(' ')}
        confirmLabel={isGlobal ? m.profile_sign_out_everywhere() : m.profile_logout()}
        busyText={isLeaving && m.profile_logging_out()}
        onConfirm={() => asked && void leave(asked.scope, asked.lost)}
        onCancel={() => setLeaving({ step: 'no' })}
        isDestructive
      />
    </div>
  )
}

/** What logging out would lose, in words; empty if nothing. Says so if the device cannot tell, as after an update. */
async function whatIsLost(userId: string): Promise<string> {
  try {
    return (await countUnsent(userId)) > 0 ? m.profile_sign_out_unsent() : ''
  } catch (error) {
    console.warn('Could not count what is unsent', error)
    return m.profile_sign_out_unknown()
  }
}
