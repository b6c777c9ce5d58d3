import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { ownProfileQuery } from '#lib/own-profile.ts'
import { useSession, useUserId } from '#lib/session.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { greetedName, greeting } from './greeting.ts'
import { homeContentQuery } from './home-queries.ts'
import { NewRepStartBanner, type NewRepStartProgress } from './new-rep-start-banner.tsx'
import { WelcomeCard } from './welcome-card.tsx'

const TABLES = ['home_content', 'schedule_content', 'goals', 'goal_activity']

type HomeScreenProps = {
  newRepStart?: NewRepStartProgress | undefined
  /** Cards of other areas, put in by the app. */
  children?: ReactNode
}

export function HomeScreen({ newRepStart, children }: HomeScreenProps) {
  const userId = useUserId()
  const { data: profile } = useQuery(ownProfileQuery(userId))
  // The cards below would be pushed down when the welcome arrives; they come with it.
  const { isPending } = useQuery(homeContentQuery())
  const session = useSession()
  // Until the profile is there, and if it never is, the account's own data greets.
  const user = session.status === 'signed-in' ? session.session.user : undefined
  const name = greetedName({
    firstName: profile?.first_name || (user?.user_metadata.first_name as string | undefined),
    email: profile?.email ?? user?.email,
  })
  const fullName = profile ? `${profile.first_name ?? ''} ${profile.last_name ?? ''}`.trim() : ''

  return (
    <Screen
      wide
      refreshes={TABLES}
      header={
        <header className="flex items-center gap-3 pt-4 pb-stack">
          <h1 className="min-w-0 flex-1 text-title font-bold break-words whitespace-pre-line lg:whitespace-normal">
            {greeting(name, new Date())}
          </h1>
          <Link to="/profile" aria-label={m.home_your_profile()} className="rounded-full">
            <Avatar name={fullName || name} seed={userId} />
          </Link>
        </header>
      }
    >
      <NewRepStartBanner progress={newRepStart} />
      <div className="grid grid-cols-1 items-start gap-stack lg:grid-cols-[3fr_2fr]">
        <div className="grid grid-cols-1 gap-stack">
          <WelcomeCard />
        </div>
        {/* What is next stands beside the welcome where there is room, and below it on a phone. */}
        <div key={isPending ? 'waiting' : 'here'} className="grid grid-cols-1 gap-stack">
          {isPending ? <SkeletonCards count={2} className="h-21" /> : children}
        </div>
      </div>
    </Screen>
  )
}
