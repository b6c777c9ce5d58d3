import { HomeScreen } from '#features/home/home-screen.tsx'
import { ThisWeekCard } from '#features/calculator/this-week-card.tsx'

/** Home with the cards of other areas: only the app may join them. */
export function HomePage() {
  return (
    <HomeScreen>
      <ThisWeekCard />
    </HomeScreen>
  )
}
