import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { useAccount, useUserId } from '#data/session/session.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { m } from '#lib/messages/messages.js'
import { LoadError } from '#ui/load-error.tsx'
import { OfflineNote } from '#ui/offline-note.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { AccountActions } from './account-actions.tsx'
import { DataActions } from './data-actions.tsx'
import { LeavingActions } from './leaving-actions.tsx'
import { LookAndLanguage } from './look-and-language.tsx'
import { ProfileCard } from './profile-card.tsx'

/** `children` are settings of other features, passed in by the app. */
export function ProfileScreen({ children }: { children?: ReactNode }) {
  const query = ownProfileQuery(useUserId())
  const { data: profile, error, refetch } = useQuery(query)
  const { copiedAt } = useCopyState(query)
  const account = useAccount()
  const email = (profile ?? account)?.email ?? ''
  return (
    <Screen wide header={<PageHeader title={m.profile_title()} back="/home" />}>
      <OfflineNote copiedAt={copiedAt} />
      {/* The page has its height before the profile arrives, so that nothing moves from under a finger. */}
      <div className="grid grid-cols-1 items-start gap-x-section gap-y-stack lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-stack">
          {!profile && error ? (
            <LoadError
              error={error}
              describe={(message) => m.profile_load_failed({ message })}
              onRetry={() => void refetch()}
            />
          ) : (
            <>
              <ProfileCard profile={profile} />
              <AccountActions profile={profile} email={email} />
            </>
          )}
        </div>
        <div className="grid grid-cols-1 gap-stack">
          {children}
          <LookAndLanguage />
          <DataActions email={email} />
          <LeavingActions />
        </div>
      </div>
    </Screen>
  )
}
