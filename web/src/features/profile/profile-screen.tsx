import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ownProfileReading } from '#domain/own-profile.ts'
import { m } from '#lib/messages/messages.js'
import { useUserId } from '#lib/supabase/session.ts'
import { LoadError } from '#ui/load-error.tsx'
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
  const { data: reading, error, refetch } = useQuery(ownProfileReading(useUserId()))
  const profile = reading?.data
  return (
    <Screen wide header={<PageHeader title={m.profile_title()} back="/home" />}>
      {reading && <OfflineNote reading={reading} />}
      <div className="grid grid-cols-1 items-start gap-x-section gap-y-stack lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-stack">
          {profile && (
            <>
              <ProfileCard profile={profile} />
              <AccountActions profile={profile} />
            </>
          )}
          {!profile && !error && <SkeletonCards count={2} className="h-72" />}
          {!profile && error && (
            <LoadError
              error={error}
              describe={(message) => m.profile_load_failed({ message })}
              onRetry={() => void refetch()}
            />
          )}
        </div>
        <div className="grid grid-cols-1 gap-stack">
          {/* Needs no profile, and so moves nothing when that arrives. */}
          {children}
          {profile && (
            <>
              <LookAndLanguage />
              <DataActions email={profile.email ?? ''} />
            </>
          )}
          {/* Whatever is missing above, logging out stays possible; in one place, so that no press is lost. */}
          <LeavingActions />
        </div>
      </div>
    </Screen>
  )
}
