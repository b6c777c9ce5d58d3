import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ownProfileReading, type OwnProfile } from '#domain/own-profile.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { useUserId } from '#lib/supabase/session.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { OfflineNote } from '#ui/offline-note.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { AccountActions } from './account-actions.tsx'
import { DataActions } from './data-actions.tsx'
import { LeavingActions } from './leaving-actions.tsx'
import { LookAndLanguage } from './look-and-language.tsx'
import { ProfileCard } from './profile-card.tsx'

/** `children` are settings of other features, passed in by the app. */
export function ProfileScreen({ children }: { children?: ReactNode }) {
  const profile = useQuery(ownProfileReading(useUserId()))
  return (
    <Screen wide header={<PageHeader title={m.profile_title()} back="/home" />}>
      {profile.data ? (
        <>
          <OfflineNote reading={profile.data} />
          <WithProfile profile={profile.data.data}>{children}</WithProfile>
        </>
      ) : profile.error ? (
        <ErrorState
          text={m.profile_load_failed({ message: messageOf(profile.error) })}
          onRetry={() => void profile.refetch()}
        />
      ) : (
        <SkeletonCards count={2} className="h-64" />
      )}
      {/* Whatever fails above, logging out stays possible. */}
      {!profile.data && <LeavingActions />}
    </Screen>
  )
}

function WithProfile({ profile, children }: { profile: OwnProfile; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 items-start gap-x-section gap-y-stack lg:grid-cols-2">
      <div className="grid grid-cols-1 gap-stack">
        <ProfileCard profile={profile} />
        <AccountActions profile={profile} />
      </div>
      <div className="grid grid-cols-1 gap-stack">
        {children}
        <LookAndLanguage />
        <DataActions email={profile.email ?? ''} />
        <LeavingActions />
      </div>
    </div>
  )
}
