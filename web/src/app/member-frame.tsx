import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Outlet, useLocation } from 'react-router'
import { forgetAskedPage } from '#lib/asked-page.ts'
import { m } from '#lib/messages/messages.js'
import { forgetOfflineCopies } from '#lib/offline-copy.ts'
import { queryClient } from '#lib/query-client.ts'
import { isSignedInAs, useUserId } from '#lib/session.ts'
import { keepFocus } from '#ui/keep-focus.ts'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { Screen } from '#ui/screen.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { useNativePush } from './native-shell/use-native-push.ts'
import { Navigation } from './navigation/navigation.tsx'
import { SessionGuard } from './session-guard.tsx'
import { useArrival } from './use-arrival.ts'
import { useLiveContent } from './use-live-content.ts'
import { useLiveMentions } from './use-live-mentions.ts'
import { useOpenedNotice } from './use-opened-notice.ts'
import { useBrowserPush } from './use-browser-push.ts'
import { usePreloadedTabs } from './use-preloaded-tabs.ts'
import { useSessionCheck } from './use-session-check.ts'

/** What every screen behind the login shares: the guard, the server data and the navigation. */
export function MemberFrame({ hidesBottomBar }: { hidesBottomBar: boolean }) {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionGuard>
        <Frame hidesBottomBar={hidesBottomBar} />
      </SessionGuard>
    </QueryClientProvider>
  )
}

function Frame({ hidesBottomBar }: { hidesBottomBar: boolean }) {
  const { pathname } = useLocation()
  const userId = useUserId()
  const arrivesFrom = useArrival(screenKey(pathname))
  useForgetOthers(userId)
  useNativePush(userId)
  useLiveContent()
  useLiveMentions(userId)
  useOpenedNotice()
  useBrowserPush(userId)
  useSessionCheck()
  usePreloadedTabs()
  useEffect(forgetAskedPage, [])
  useEffect(keepFocus, [])
  return (
    // The navigation comes first in the document (skip link above it) and stands below or beside the screen.
    <div className="flex h-dvh flex-col-reverse overflow-hidden lg:flex-row">
      <a
        href="#main"
        className="sr-only rounded-field bg-card px-4 py-3 focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        {m.app_skip_to_content()}
      </a>
      <Navigation hidesBottomBar={hidesBottomBar} />
      <main
        id="main"
        tabIndex={-1}
        key={screenKey(pathname)}
        data-arrival={arrivesFrom}
        className="min-h-0 min-w-0 flex-1 overflow-y-auto focus:outline-0"
      >
        <ErrorBoundary>
          <Suspense
            fallback={<Screen header={<div className="h-16" />} children={<SkeletonCards />} />}
          >
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
    </div>
  )
}

/** What one member read must not be seen by the next one on the same device. */
function useForgetOthers(userId: string) {
  useEffect(
    () => () => {
      // The frame is also drawn anew for another language.
      if (isSignedInAs(userId)) return
      queryClient.clear()
      // Where the browser allows no storage there is nothing to forget.
      forgetOfflineCopies().catch((error: unknown) => console.warn('Offline copies stay', error))
    },
    [userId],
  )
}

// The chat's list and thread are one screen with two panes: opening a chat must not draw the list anew.
function screenKey(pathname: string) {
  return pathname.startsWith('/chat') ? '/chat' : pathname
}
