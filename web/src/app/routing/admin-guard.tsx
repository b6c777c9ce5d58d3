import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { useUserId } from '#lib/supabase/session.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'

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
