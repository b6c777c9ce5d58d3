import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, type ReactNode } from 'react'
import { Navigate } from 'react-router'
import { adminRightsQuery } from '#domain/admin-rights.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { assuranceOf } from '#lib/supabase/second-factor.ts'
import { useSession, useUserId } from '#lib/supabase/session.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'

const AdminsNeedSecondFactor = lazy(async () => ({
  default: (await import('./admins-need-second-factor.tsx')).AdminsNeedSecondFactor,
}))

/** Sends everyone but admins to Home. The database refuses them as well; this only spares them the screen. */
export function AdminGuard({ children }: { children: ReactNode }) {
  const userId = useUserId()
  const session = useSession()
  const assurance = session.status === 'signed-in' ? assuranceOf(session.session) : ''
  const profile = useQuery(ownProfileQuery(userId))
  const rights = useQuery(adminRightsQuery(userId, assurance))
  if (profile.data && profile.data.role !== 'admin') return <Navigate to="/home" replace />
  if (profile.data && rights.data === false) {
    return (
      <Suspense>
        <AdminsNeedSecondFactor />
      </Suspense>
    )
  }
  if (profile.data && !rights.isPending) return children
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
