import { InstallCard } from '#app/install/install-card.tsx'
import { ThisWeekCard } from '#features/calculator/this-week-card.tsx'
import { NextMeetingCard } from '#features/content/next-meeting-card.tsx'
import { useOnboardingProgress } from '#features/content/use-onboarding-progress.ts'
import { HomeScreen } from '#features/home/home-screen.tsx'
import { UnacknowledgedNotices } from '#features/notifications/unacknowledged-notices.tsx'

/** Home with cards of other features, which only the app may join. */
export function HomePage() {
  return (
    <HomeScreen newRepStart={useOnboardingProgress()} notices={<UnacknowledgedNotices />}>
      <NextMeetingCard />
      <ThisWeekCard />
      <InstallCard />
    </HomeScreen>
  )
}
