import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useLayoutEffect, useState, type ReactNode } from 'react'
import { Navigate, useLocation, useNavigate, type Location } from 'react-router'
import { takeOver, wasShownTo } from '#data/kept/device-data.ts'
import { checkSession, useUserId } from '#data/session/session.ts'
import { membershipQuery } from '#domain/membership.ts'
import { getReturnTo, rememberReturnTo, WAITING_PATH } from '#lib/return-to.ts'
import { messageOf } from '#lib/server/notify-error.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { SplashScreen } from './splash-screen.tsx'

// Members never see it.
const WaitingPage = lazy(async () => ({
  default: (await import('./waiting-page.tsx')).WaitingPage,
}))

/**
 * Lets through who is on the team. Everybody else waits at an address of their own and comes back to this page. Who was
 * let through on this device before is not asked again, so that the app starts without a connection.
 */
export function MembershipGate({ children }: { children: ReactNode }) {
  const userId = useUserId()
  const { pathname } = useLocation()
  const [isKnown] = useState(() => wasShownTo(userId))
  const { data, error, refetch } = useQuery({ ...membershipQuery(userId), enabled: !isKnown })

  useEffect(() => {
    // Whoever was declined has no session any more.
    if (error) checkSession().catch(() => console.warn('The session was not checked'))
  }, [error])

  const isLetThrough = isKnown || data?.status === 'active'
  // Before the effects in which the screens begin to read.
  useLayoutEffect(() => {
    if (!isLetThrough) return
    // Where the browser denies storage there is nothing to clear.
    takeOver(userId).catch((error: unknown) =>
      console.warn('Could not delete offline copies', error),
    )
  }, [isLetThrough, userId])

  if (isLetThrough) {
    if (pathname !== WAITING_PATH) return children
    const { path, state } = getReturnTo()
    return <Navigate to={path} state={state} replace />
  }
  if (!data && error) {
    return (
      <main className="grid min-h-dvh place-content-center">
        <ErrorState isPageTitle text={messageOf(error)} onRetry={() => void refetch()} />
      </main>
    )
  }
  if (!data) return <SplashScreen />
  if (pathname !== WAITING_PATH) return <ToWaiting />
  return (
    <Suspense fallback={<SplashScreen />}>
      <WaitingPage membership={data} onChange={() => void refetch()} />
    </Suspense>
  )
}

function ToWaiting() {
  const { pathname, search, hash, state } = useLocation() as Location<unknown>
  const navigate = useNavigate()
  useEffect(() => {
    rememberReturnTo({ path: pathname + search + hash, state })
    void navigate(WAITING_PATH, { replace: true })
  }, [pathname, search, hash, state, navigate])
  return <SplashScreen />
}
