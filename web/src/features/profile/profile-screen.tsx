import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/notify-error.ts'
import { ownProfileQuery, type OwnProfile } from '#lib/own-profile.ts'
import { useUserId } from '#lib/session.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { AccountActions } from './account-actions.tsx'
import { DataActions } from './data-actions.tsx'
import { LeavingActions } from './leaving-actions.tsx'
import { LookAndLanguage } from './look-and-language.tsx'
import { ProfileCard } from './profile-card.tsx'

/** `children` are settings of other areas, put in by the app. */
export function ProfileScreen({ children }: { children?: ReactNode }) {
  const profile = useQuery(ownProfileQuery(useUserId()))
  return (
    <Screen header={<PageHeader title={m.profile_title()} />}>
      {profile.data ? (
        <WithProfile profile={profile.data}>{children}</WithProfile>
      ) : profile.error ? (
        <ErrorState
          text={m.profile_load_failed({ message: messageOf(profile.error) })}
          onRetry={() => void profile.refetch()}
        />
      ) : (
        <SkeletonCards count={2} className="h-64" />
      )}
      {/* Whatever fails above, the way out stays open. */}
      <LeavingActions />
    </Screen>
  )
}

function WithProfile({ profile, children }: { profile: OwnProfile; children: ReactNode }) {
  return (
    <>
      <ProfileCard profile={profile} />
      <AccountActions profile={profile} />
      {children}
      <LookAndLanguage />
      <DataActions email={profile.email} />
    </>
  )
}
