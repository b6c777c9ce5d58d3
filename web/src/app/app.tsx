import { lazy, Suspense } from 'react'
import { BrowserRouter, matchPath, Route, Routes, useLocation } from 'react-router'
import { useLocale } from '#lib/locale.ts'
import { Toaster } from '#ui/toaster.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { useNativeShell } from './native-shell/use-native-shell.ts'
import { OpenAppLink } from './open-app-link.tsx'
import { routes, type AppRoute } from './routes.tsx'
import { SplashScreen } from './splash-screen.tsx'
import { UpdateNotice } from './update-notice.tsx'
import { useLinkMessage } from './use-link-message.ts'
import { useNavigateToChat } from './use-navigate-to-chat.ts'
import { useNavigateToPath } from './use-navigate-to-path.ts'
import { usePreloadedLinks } from './use-preloaded-links.ts'
import { usePreloadedNext } from './use-preloaded-next.ts'
import { useScreenTitle } from './use-screen-title.ts'

// Everything only members need (navigation, query cache) stays out of the login's first load.
const MemberFrame = lazy(async () => ({
  default: (await import('./member-frame.tsx')).MemberFrame,
}))
const AdminGuard = lazy(async () => ({ default: (await import('./admin-guard.tsx')).AdminGuard }))

/** The whole app, drawn anew when the language changes. */
export function App() {
  return (
    <BrowserRouter key={useLocale()}>
      <AppRoutes />
      <UpdateNotice />
      <OpenAppLink />
      <Toaster />
    </BrowserRouter>
  )
}

export function AppRoutes() {
  useNavigateToChat()
  useNavigateToPath()
  useNativeShell()
  usePreloadedNext()
  usePreloadedLinks()
  useLinkMessage()
  useScreenTitle()
  const { pathname } = useLocation()
  const current = routes.find((route) => matchPath(route.path, pathname))
  return (
    <ErrorBoundary>
      <Suspense fallback={<SplashScreen />}>
        <Routes>
          {routes.filter((route) => route.access === 'anyone').map(toRoute)}
          <Route element={<MemberFrame hidesBottomBar={current?.hidesBottomBar ?? false} />}>
            {routes.filter((route) => route.access !== 'anyone').map(toRoute)}
          </Route>
        </Routes>
      </Suspense>
    </ErrorBoundary>
  )
}

function toRoute({ path, access, screen: Screen }: AppRoute) {
  const element = access === 'admin' ? <AdminGuard children={<Screen />} /> : <Screen />
  return <Route key={path} path={path} element={element} />
}
