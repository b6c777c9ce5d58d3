import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useUserId } from '#lib/supabase/session.ts'
import { unacknowledgedQuery } from './notification-queries.ts'

// Home must be fast, and there rarely is one.
const NotificationCard = lazy(async () => ({
  default: (await import('./notification-card.tsx')).NotificationCard,
}))

/**
 * What the member has to acknowledge, for Home. Renders nothing while there is nothing, or on error; the
 * Notifications screen reports what went wrong.
 */
export function UnacknowledgedNotices() {
  const { data = [] } = useQuery(unacknowledgedQuery(useUserId()))
  if (data.length === 0) return null
  return (
    <Suspense>
      {data.map((notice) => (
        <NotificationCard key={notice.id} notification={notice} />
      ))}
    </Suspense>
  )
}
