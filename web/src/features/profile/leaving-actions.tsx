import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { notifyError } from '#lib/notify-error.ts'
import { signOut } from '#lib/session.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'

type Leaving = 'no' | 'asking' | 'local' | 'global'

export function LeavingActions() {
  const [leaving, setLeaving] = useState<Leaving>('no')

  async function leave(scope: 'local' | 'global') {
    setLeaving(scope)
    const { error } = await signOut(scope).catch((thrown: unknown) => ({ error: thrown }))
    if (!error) return
    console.error(error)
    setLeaving('no')
    notifyError(m.profile_sign_out_failed())
  }

  return (
    <div className="grid gap-3 pt-2">
      <Button
        size="lg"
        variant="danger-ghost"
        disabled={leaving === 'global'}
        busyText={leaving === 'local' && m.profile_logging_out()}
        onClick={() => void leave('local')}
      >
        <LogOut aria-hidden="true" className="size-5" />
        {m.profile_logout()}
      </Button>
      <Button variant="ghost" size="lg" onClick={() => setLeaving('asking')}>
        {m.profile_sign_out_everywhere()}
      </Button>
      <ConfirmDialog
        open={leaving === 'asking' || leaving === 'global'}
        title={m.profile_sign_out_everywhere()}
        text={m.profile_sign_out_everywhere_text()}
        confirmLabel={m.profile_logout()}
        busyText={leaving === 'global' && m.profile_logging_out()}
        onConfirm={() => void leave('global')}
        onCancel={() => setLeaving('no')}
        isDestructive
      />
    </div>
  )
}
