import { lazy, Suspense, useEffect } from 'react'
import { takeNewcomer, useOfferedSession } from '#data/session/link-session.ts'
import { needsPassword, useSession } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { showToast } from '#ui/toast-store.ts'

// Rare enough to stay out of the login's bundle.
const SwitchAccountDialog = lazy(async () => ({
  default: (await import('./switch-account-dialog.tsx')).SwitchAccountDialog,
}))

/** Asks before a link switches accounts, and says which account a link signed in to. */
export function LinkAccountQuestion() {
  const offered = useOfferedSession()
  useNamedNewcomer()
  return (
    offered && (
      <Suspense>
        <SwitchAccountDialog offered={offered} />
      </Suspense>
    )
  )
}

function useNamedNewcomer() {
  const session = useSession()
  useEffect(() => {
    if (session.status === 'loading') return
    const email = takeNewcomer()
    // The page on which an invited person chooses a password shows the address.
    if (!email || session.status !== 'signed-in' || needsPassword(session.session)) return
    showToast(m.app_signed_in_as({ email }))
  }, [session])
}
