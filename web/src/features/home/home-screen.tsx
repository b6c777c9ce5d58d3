import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { nameGiven, useSession, useUserId } from '#data/session/session.ts'
import { fullName } from '#domain/member-name.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import { Avatar } from '#ui/avatar.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { homeContentQuery } from './home-queries.ts'
import { NewRepStartBanner, type NewRepStartProgress } from './new-rep-start-banner.tsx'
import { WelcomeCard } from './welcome-card.tsx'

const TABLES = ['home_content', 'schedule_content', 'goals', 'goal_activity', 'team_notices']

type HomeScreenProps = {
  /** Whether there are cards on top is not known yet. */
  isWaiting?: boolean
  /** Opens the search over everything. */
  onSearch: () => void
  newRepStart?: NewRepStartProgress | undefined
  /** What has to be done or acknowledged comes before everything else. */
  notices?: ReactNode
  /** Cards of other features, passed in by the app. */
  children?: ReactNode
}

export function HomeScreen({
  isWaiting,
  onSearch,
  newRepStart,
  notices,
  children,
}: HomeScreenProps) {
  const userId = useUserId()
  const now = useNow()
  const { data: profile } = useQuery(ownProfileQuery(userId))
  // The cards below would be pushed down when the welcome arrives, so they wait for it.
  const { isPending } = useQuery(homeContentQuery())
  const session = useSession()
  // Until the profile is loaded, or if it never is, the account's own data is used.
  const user = session.status === 'signed-in' ? session.session.user : undefined
  const name = greetingName({
    firstName: profile?.first_name || nameGiven(user, 'first_name'),
    email: profile?.email ?? user?.email,
  })
  const wholeName = fullName(profile ?? {})

  return (
    <Screen
      wide
      refreshes={TABLES}
      header={
        <header className="flex flex-wrap items-center justify-end gap-3 pt-4 pb-stack">
          {/* Large text takes the buttons' place, which then go below. */}
          <h1 className="max-w-full min-w-0 flex-1 basis-40 text-title font-bold break-words">
            {greeting(name, new Date(now))}
          </h1>
          <IconButton
            label={m.home_search()}
            title={m.home_search_keys()}
            aria-keyshortcuts="Control+K Meta+K"
            icon={<Search />}
            onClick={onSearch}
          />
          <Link to="/profile" aria-label={m.home_your_profile()} className="rounded-full">
            <Avatar name={wholeName || name} seed={userId} />
          </Link>
        </header>
      }
    >
      {isWaiting ? <SkeletonCards count={3} className="h-24" /> : notices}
      {/* What waits for its place is loaded meanwhile. */}
      <div className={isWaiting ? 'hidden' : 'grid grid-cols-1 gap-stack'}>
        <NewRepStartBanner progress={newRepStart} />
        <div className="grid grid-cols-1 items-start gap-stack lg:grid-cols-[3fr_2fr]">
          <div className="grid grid-cols-1 gap-stack">
            <WelcomeCard />
          </div>
          {/* Upcoming items are next to the welcome where there is room, and below it on a phone. */}
          <div className="grid grid-cols-1 gap-stack">
            {isPending && <SkeletonCards count={2} className="h-21" />}
            <div className={isPending ? 'hidden' : 'grid grid-cols-1 gap-stack'}>{children}</div>
          </div>
        </div>
      </div>
    </Screen>
  )
}

type Named = { firstName?: string | null | undefined; email?: string | null | undefined }

/** The first name, else the local part of the e-mail address, else "User" (product.md P20). */
export function greetingName({ firstName, email }: Named) {
  return firstName?.trim() || email?.split('@')[0]?.trim() || m.home_user()
}

/** By the viewer's clock. */
export function greeting(name: string, now: Date) {
  const hour = now.getHours()
  if (hour >= 5 && hour < 12) return m.home_good_morning({ name })
  if (hour >= 12 && hour < 18) return m.home_good_afternoon({ name })
  return m.home_good_evening({ name })
}
