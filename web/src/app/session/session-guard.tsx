import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { Navigate, useLocation, useNavigate, type Location } from 'react-router'
import { forgetWhatWasRead } from '#data/kept/device-data.ts'
import { queryClient } from '#data/query-client.ts'
import { needsCode } from '#data/session/second-factor.ts'
import { needsPassword, useSession } from '#data/session/session.ts'
import { rememberReturnTo, WAITING_PATH } from '#lib/return-to.ts'
import { SplashScreen } from './splash-screen.tsx'

// Few members see it.
const CodeScreen = lazy(async () => ({
  default: (await import('#features/auth/code-screen.tsx')).CodeScreen,
}))

/** Lets members through, after the code of their second factor if they have one; everybody else goes to the login first and returns to this page afterwards. */
export function SessionGuard({ children }: { children: ReactNode }) {
  const session = useSession()
  if (session.status === 'loading') return <SplashScreen />
  if (session.status === 'signed-out') return <ToLogin isLeaving={session.leaving} />
  if (needsPassword(session.session)) return <Navigate to="/create-account" replace />
  if (needsCode(session.session)) {
    return (
      <Suspense fallback={<SplashScreen />}>
        <CodeScreen session={session.session} onLeave={forgetTheTeam} />
      </Suspense>
    )
  }
  return children
}

// What was not sent yet stays for the next login.
function forgetTheTeam(): Promise<void> {
  queryClient.clear()
  return forgetWhatWasRead()
}

function ToLogin({ isLeaving }: { isLeaving: boolean }) {
  const { pathname, search, hash, state } = useLocation() as Location<unknown>
  const navigate = useNavigate()
  useEffect(() => {
    if (!isLeaving) rememberReturnTo({ path: pathname + search + hash, state })
    void navigate('/', { replace: true, state: { wasWaiting: pathname === WAITING_PATH } })
  }, [isLeaving, pathname, search, hash, state, navigate])
  return <SplashScreen />
}
