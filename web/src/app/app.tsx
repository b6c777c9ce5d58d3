import { Suspense } from 'react'
import { BrowserRouter, matchPath, Route, Routes, useLocation } from 'react-router'
import { OpenAppLink } from '#app/install/open-app-link.tsx'
import { UpdateNotice } from '#app/install/update-notice.tsx'
import { ErrorBoundary } from '#app/routing/error-boundary.tsx'
import { preloadScreen } from '#app/routing/preload-screen.ts'
import { AdminGuard, MemberFrame, routes, type AppRoute } from '#app/routing/routes.tsx'
import { useNavigationEvents } from '#app/routing/use-navigation-events.ts'
import { usePreloadedScreens } from '#app/routing/use-preloaded-screens.ts'
import { useScreenTitle } from '#app/routing/use-screen-title.ts'
import { LinkAccountQuestion } from '#app/session/link-account-question.tsx'
import { SplashScreen } from '#app/session/splash-screen.tsx'
import { useLinkMessage } from '#app/session/use-link-message.ts'
import { useLocale } from '#lib/i18n/locale.ts'
import { Toaster } from '#ui/toaster.tsx'
import { useNativeShell } from './native-shell/use-native-shell.ts'

/** The whole app, remounted when the language changes. */
export function App() {
  return (
    <BrowserRouter key={useLocale()}>
      <AppRoutes />
      <UpdateNotice />
      <OpenAppLink />
      <LinkAccountQuestion />
      <Toaster />
    </BrowserRouter>
  )
}

export function AppRoutes() {
  useNavigationEvents()
  useNativeShell()
  usePreloadedScreens()
  useLinkMessage()
  useScreenTitle()
  const { pathname } = useLocation()
  const current = routes.find((route) => matchPath(route.path, pathname))
  return (
    <ErrorBoundary path={pathname}>
      <Suspense fallback={<SplashScreen />}>
        <Routes>
          {routes.filter((route) => route.access === 'anyone').map(toRoute)}
          <Route
            element={
              <MemberFrame
                hidesBottomBar={current?.hidesBottomBar ?? false}
                preload={preloadScreen}
              />
            }
          >
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
