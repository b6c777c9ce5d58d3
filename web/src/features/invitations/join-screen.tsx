import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { useSession } from '#data/session/session.ts'
import { keepJoinToken } from '#domain/join-token.ts'
import { m } from '#lib/messages/messages.js'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Logo } from '#ui/logo.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { joinLinkState } from './invitation-queries.ts'
import { prefillOf } from './join-address.ts'

type Reading =
  { step: 'reading' } | { step: 'closed'; state: string } | { step: 'failed'; error: unknown }

/** The target of an invitation: leads on to Create Account, filled in, or explains why not. */
export function JoinScreen() {
  const { token = '' } = useParams()
  const { search } = useLocation()
  const navigate = useNavigate()
  const [reading, setReading] = useState<Reading>({ step: 'reading' })
  const { status } = useSession()

  useEffect(() => {
    if (status === 'loading') return
    let isCurrent = true
    joinLinkState(token).then(
      (state) => {
        if (!isCurrent) return
        if (state !== 'open') return setReading({ step: 'closed', state })
        keepJoinToken(token)
        // Whoever has an account and is not on the team asks to be let in with the link.
        if (status === 'signed-in') return void navigate('/waiting', { replace: true })
        void navigate('/create-account', { replace: true, state: prefillOf(search) })
      },
      (error: unknown) => isCurrent && setReading({ step: 'failed', error }),
    )
    return () => {
      isCurrent = false
    }
  }, [status, token, search, navigate])

  return (
    <main className="grid min-h-dvh place-content-center">
      {reading.step === 'reading' && (
        <p role="status" className="text-muted">
          <Spinner className="size-8" />
          <span className="sr-only">{m.ui_loading()}</span>
        </p>
      )}
      {reading.step === 'failed' && (
        <LoadError isPageTitle error={reading.error} onRetry={() => location.reload()} />
      )}
      {reading.step === 'closed' && (
        <EmptyState
          isPageTitle
          picture={<Logo className="size-11" />}
          {...closedWords(reading.state)}
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

function closedWords(state: string) {
  if (state === 'expired')
    return { title: m.invitations_expired_title(), text: m.invitations_closed_text() }
  if (state === 'taken_back')
    return { title: m.invitations_taken_back_title(), text: m.invitations_closed_text() }
  return { title: m.invitations_unknown_title(), text: m.invitations_unknown_text() }
}
