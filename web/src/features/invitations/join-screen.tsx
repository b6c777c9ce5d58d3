import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Logo } from '#ui/logo.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { isJoinLinkOpen } from './invitation-queries.ts'
import { prefillOf } from './join-address.ts'

type Reading = { step: 'reading' } | { step: 'closed' } | { step: 'failed'; error: unknown }

/** The target of an invitation: leads on to Create Account, filled in, or explains why not. */
export function JoinScreen() {
  const { token = '' } = useParams()
  const { search } = useLocation()
  const navigate = useNavigate()
  const [reading, setReading] = useState<Reading>({ step: 'reading' })

  useEffect(() => {
    let isCurrent = true
    isJoinLinkOpen(token).then(
      (isOpen) => {
        if (!isCurrent) return
        if (!isOpen) return setReading({ step: 'closed' })
        void navigate('/create-account', { replace: true, state: prefillOf(search) })
      },
      (error: unknown) => isCurrent && setReading({ step: 'failed', error }),
    )
    return () => {
      isCurrent = false
    }
  }, [token, search, navigate])

  return (
    <main className="grid min-h-dvh place-content-center">
      {reading.step === 'reading' && (
        <p role="status" className="text-muted">
          <Spinner className="size-8" />
          <span className="sr-only">{m.ui_loading()}</span>
        </p>
      )}
      {reading.step === 'failed' && (
        <ErrorState isPageTitle text={messageOf(reading.error)} onRetry={() => location.reload()} />
      )}
      {reading.step === 'closed' && (
        <EmptyState
          isPageTitle
          picture={<Logo className="size-11" />}
          title={m.invitations_closed_title()}
          text={m.invitations_closed_text()}
          action={
            <NavigationButton to="/" variant="tint">
              {m.invitations_to_login()}
            </NavigationButton>
          }
        />
      )}
    </main>
  )
}
