import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, type ReactNode } from 'react'
import { Navigate } from 'react-router'
import { wasAdmin } from '#data/kept/device-data.ts'
import { assuranceOf } from '#data/session/second-factor.ts'
import { useSession, useUserId } from '#data/session/session.ts'
import { adminRightsQuery } from '#domain/admin-rights.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { m } from '#lib/messages/messages.js'
import { LoadError } from '#ui/load-error.tsx'
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
  // Who was an admin here before need not wait for the responses: what the screen asks goes with these questions, and the
  // database refuses who no longer is.
  const isLetIn = wasAdmin(userId) || (profile.data && !rights.isPending)
  if (isLetIn && (profile.data || !profile.error)) return children
  if (profile.error) {
    return (
      <LoadError
        isPageTitle
        error={profile.error}
        describe={(message) => m.app_profile_failed({ message })}
        onRetry={() => void profile.refetch()}
      />
    )
  }
  return (
    <Screen header={<div className="h-16" />}>
      <SkeletonCards />
    </Screen>
  )
}
