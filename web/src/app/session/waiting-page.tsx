import { useEffect } from 'react'
import { useSession } from '#data/session/session.ts'
import { askToJoin, type Membership } from '#domain/membership.ts'
import { WaitingScreen } from '#features/auth/waiting-screen.tsx'
import { DataActions } from '#features/profile/data-actions.tsx'

type WaitingPageProps = { membership: Membership; onChange: () => void }

/** Where somebody who is signed in and not on the team waits; their account is theirs to take along or delete. */
export function WaitingPage({ membership, onChange }: WaitingPageProps) {
  const session = useSession()
  const email = session.status === 'signed-in' ? (session.session.user.email ?? '') : ''
  useEffect(() => {
    askToJoin()
      .then(onChange)
      // This page asks on by itself.
      .catch((error: unknown) => console.warn('Could not ask to be let in', error))
    // oxlint-disable-next-line react/exhaustive-deps -- once for each visit
  }, [])
  return (
    <WaitingScreen email={email} membership={membership} onChange={onChange}>
      <DataActions email={email} />
    </WaitingScreen>
  )
}
