import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { countUnsent, forgetMember } from '#lib/offline/device-data.ts'
import { notifyError } from '#lib/supabase/notify-error.ts'
import { signOut, useUserId } from '#lib/supabase/session.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'

type Scope = 'local' | 'global'
type Leaving =
  | { step: 'no' }
  | { step: 'asking'; scope: Scope; unsent: number }
  | { step: 'leaving'; scope: Scope; unsent: number }

/** Signs out here or everywhere. Words that exist on this device alone are not thrown away without a question. */
export function LeavingActions() {
  const userId = useUserId()
  const [leaving, setLeaving] = useState<Leaving>({ step: 'no' })
  const isLeaving = leaving.step === 'leaving'
  const asked = leaving.step === 'no' ? null : leaving

  async function begin(scope: Scope) {
    // Where the browser allows no storage, nothing waits in it.
    const unsent = await countUnsent(userId).catch(() => 0)
    if (scope === 'global' || unsent > 0) setLeaving({ step: 'asking', scope, unsent })
    else await leave(scope, unsent)
  }

  async function leave(scope: Scope, unsent: number) {
    setLeaving({ step: 'leaving', scope, unsent })
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
        onClick={() => void begin('local')}
      >
        <LogOut aria-hidden="true" className="size-5" />
        {m.profile_logout()}
      </Button>
      <Button variant="ghost" size="lg" onClick={() => void begin('global')}>
        {m.profile_sign_out_everywhere()}
      </Button>
      <ConfirmDialog
        open={asked !== null && (isGlobal || asked.unsent > 0)}
        title={isGlobal ? m.profile_sign_out_everywhere() : m.profile_logout()}
        text={[
          isGlobal && m.profile_sign_out_everywhere_text(),
          asked && asked.unsent > 0 && m.profile_sign_out_unsent(),
        ]
          .filter(Boolean)
          .join(' ')}
        confirmLabel={m.profile_logout()}
        busyText={isLeaving && m.profile_logging_out()}
        onConfirm={() => asked && void leave(asked.scope, asked.unsent)}
        onCancel={() => setLeaving({ step: 'no' })}
        isDestructive
      />
    </div>
  )
}
