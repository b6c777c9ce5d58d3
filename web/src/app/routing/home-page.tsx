import { lazy, Suspense } from 'react'
import { openSearch } from '#app/search/open-search.ts'
import { InstallCard } from '#app/install/install-card.tsx'
import { ThisWeekCard } from '#features/calculator/this-week-card.tsx'
import { NextMeetingCard } from '#features/content/next-meeting-card.tsx'
import { useOnboardingProgress } from '#features/content/use-onboarding-progress.ts'
import { HomeScreen } from '#features/home/home-screen.tsx'
import {
  UnacknowledgedNotices,
  useAwaitsNotices,
} from '#features/notifications/unacknowledged-notices.tsx'
import { useSetupList } from '#features/setup/use-setup-list.ts'
import { SkeletonCards } from '#ui/skeleton.tsx'

// For the admins of a new team only.
const SetupCard = lazy(async () => ({
  default: (await import('#features/setup/setup-card.tsx')).SetupCard,
}))

/** Home with cards of other features, which only the app may join. */
export function HomePage() {
  const { isWaiting, isOpen, checklist } = useSetupList()
  const awaitsNotices = useAwaitsNotices()
  return (
    <HomeScreen
      isWaiting={isWaiting || awaitsNotices}
      onSearch={openSearch}
      newRepStart={useOnboardingProgress()}
      notices={
        <>
          {isOpen && checklist && (
            <Suspense fallback={<SkeletonCards count={1} className="h-76" />}>
              <SetupCard checklist={checklist} />
            </Suspense>
          )}
          <UnacknowledgedNotices />
        </>
      }
    >
      <NextMeetingCard />
      <ThisWeekCard />
      <InstallCard />
    </HomeScreen>
  )
}
