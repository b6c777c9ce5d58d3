import { ThisWeekCard } from '#features/calculator/this-week-card.tsx'
import { NextMeetingCard } from '#features/content/next-meeting-card.tsx'
import { useOnboardingProgress } from '#features/content/use-onboarding-progress.ts'
import { HomeScreen } from '#features/home/home-screen.tsx'
import { InstallCard } from './install-card.tsx'

/** Home with the cards of other areas: only the app may join them. */
export function HomePage() {
  return (
    <HomeScreen newRepStart={useOnboardingProgress()}>
      <NextMeetingCard />
      <ThisWeekCard />
      <InstallCard />
    </HomeScreen>
  )
}
