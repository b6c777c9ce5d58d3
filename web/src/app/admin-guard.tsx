import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/notify-error.ts'
import { ownProfileQuery } from '#lib/own-profile.ts'
import { useUserId } from '#lib/session.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { Screen } from '#ui/screen.tsx'

/** Sends everyone but admins to Home. The database refuses them as well; this only spares them the screen. */
export function AdminGuard({ children }: { children: ReactNode }) {
  const profile = useQuery(ownProfileQuery(useUserId()))
  if (profile.data)
    return profile.data.role === 'admin' ? children : <Navigate to="/home" replace />
  if (profile.error) {
    return (
      <ErrorState
        text={m.app_profile_failed({ message: messageOf(profile.error) })}
        onRetry={() => void profile.refetch()}
      />
    )
  }
  return (
    <Screen>
      <SkeletonCards />
    </Screen>
  )
}
