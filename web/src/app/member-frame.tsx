import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useBrowserPush } from '#app/notifications/use-browser-push.ts'
import { useOpenedNotice } from '#app/notifications/use-opened-notice.ts'
import { ErrorBoundary } from '#app/routing/error-boundary.tsx'
import { usePreloadedTabs } from '#app/routing/use-preloaded-tabs.ts'
import { useSearchKey } from '#app/search/open-search.ts'
import { SearchHost } from '#app/search/search-host.tsx'
import { MembershipGate } from '#app/session/membership-gate.tsx'
import { ProofQuestion } from '#app/session/proof-question.tsx'
import { RulesGate } from '#app/session/rules-gate.tsx'
import { SessionGuard } from '#app/session/session-guard.tsx'
import { useArrival } from '#app/session/use-arrival.ts'
import { usePendingChanges } from '#app/session/use-pending-changes.ts'
import { forgetWhatWasRead, keepsOnDevice } from '#data/kept/device-data.ts'
import { useLiveMember } from '#data/live/use-live-member.ts'
import { queryClient } from '#data/query-client.ts'
import { isSignedInAs, useSessionId, useUserId } from '#data/session/session.ts'
import { useSessionCheck } from '#data/session/use-session-check.ts'
import { m } from '#lib/messages/messages.js'
import { clearReturnTo } from '#lib/return-to.ts'
import { keepFocus } from '#ui/keep-focus.ts'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { SkipLink } from '#ui/skip-link.tsx'
import { forgetUndos } from '#ui/toast-store.ts'
import { useNativePush } from './native-shell/use-native-shell.ts'
import { startClosingLayersOnBack } from './navigation/back-closes-layers.ts'
import { Navigation } from './navigation/navigation.tsx'
import { useKeptScroll } from './navigation/use-kept-scroll.ts'
import { PersonHost } from './person-host.tsx'
import { ReachStrip } from './reach-strip.tsx'

// Chat code loads on demand, but its outbox may hold messages from before this page was opened.
const outbox = () => import('#features/chat/outbox/member-outbox.ts')
keepsOnDevice({
  countUnsent: async (memberId) => (await outbox()).outboxOnDevice.countUnsent(memberId),
  forget: async (memberId) => (await outbox()).outboxOnDevice.forget(memberId),
})

keepsOnDevice({
  countUnsent: async () => 0,
  forget: async (memberId) =>
    (await import('#features/search/recent-searches.ts')).forgetSearches(memberId),
})

type FrameProps = {
  hidesBottomBar: boolean
  /** Loads the code of the screen at a path. */
  preload: (path: string) => Promise<void>
}

/** What every screen behind the login shares: the guard, the query cache and the navigation. */
export function MemberFrame(props: FrameProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionGuard>
        <MembershipGate>
          <RulesGate>
            <Frame {...props} />
          </RulesGate>
        </MembershipGate>
      </SessionGuard>
    </QueryClientProvider>
  )
}

function Frame({ hidesBottomBar, preload }: FrameProps) {
  const { pathname } = useLocation()
  const userId = useUserId()
  const main = useRef<HTMLElement>(null)
  useKeptScroll(main)
  const arrivesFrom = useArrival(screenKey(pathname))
  useForgetOthers(userId)
  const sessionId = useSessionId()
  useNativePush(userId, sessionId)
  useLiveMember(userId)
  useOpenedNotice()
  useBrowserPush(userId, sessionId)
  useSessionCheck(userId)
  usePendingChanges(userId)
  usePreloadedTabs(preload)
  useSearchKey()
  useEffect(clearReturnTo, [])
  useEffect(keepFocus, [])
  useEffect(startClosingLayersOnBack, [])
  return (
    // The navigation comes first in the document (after a skip link) and is displayed below or next to the
    // screen.
    <div className="relative flex h-dvh flex-col-reverse overflow-hidden lg:flex-row">
      <SkipLink to="main" label={m.app_skip_to_content()} />
      <Navigation hidesBottomBar={hidesBottomBar} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          key={screenKey(pathname)}
          data-arrival={arrivesFrom}
          className="min-h-0 min-w-0 flex-1 overflow-y-auto focus:outline-0"
        >
          <ErrorBoundary path={pathname}>
            <Suspense
              fallback={<Screen header={<div className="h-16" />} children={<SkeletonCards />} />}
            >
              <Outlet />
            </Suspense>
          </ErrorBoundary>
        </main>
        {/* An open chat says so above its composer. */}
        {(!hidesBottomBar || pathname === '/chat/create') && <ReachStrip />}
      </div>
      <PersonHost />
      <SearchHost />
      <ProofQuestion />
    </div>
  )
}

/** One member's data must not be visible to the next one on the same device. */
function useForgetOthers(userId: string) {
  useEffect(
    () => () => {
      // The frame also remounts for another language.
      if (isSignedInAs(userId)) return
      queryClient.clear()
      forgetUndos()
      // Where the browser denies storage there is nothing to clear.
      forgetWhatWasRead().catch((error: unknown) =>
        console.warn('Could not delete offline copies', error),
      )
    },
    [userId],
  )
}

// The chat list and thread are one screen with two panes: opening a chat must not remount the list.
function screenKey(pathname: string) {
  return pathname.startsWith('/chat') ? '/chat' : pathname
}
