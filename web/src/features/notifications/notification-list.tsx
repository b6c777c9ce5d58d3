import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { NeedsConnection, type Reading } from '#lib/offline/offline-copy.ts'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { useUserId } from '#lib/supabase/session.ts'
import { buttonLook } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { OfflineNote } from '#ui/offline-note.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { NotificationCard } from './notification-card.tsx'
import { markShown, notificationsQuery, type Notification } from './notification-queries.ts'

export function NotificationList() {
  const query = useInfiniteQuery(notificationsQuery(useUserId()))
  const { error, refetch } = query
  useMarkShown(query.data)
  const data = query.data?.pages.flatMap((page) => page.data)
  const [first] = query.data?.pages ?? []
  if (!data && error instanceof NeedsConnection) {
    return (
      <ErrorState
        title={m.ui_offline_title()}
        text={error.message}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data && error) {
    const text = `${m.notifications_error_loading()}: ${messageOf(error)}`
    return <ErrorState text={text} onRetry={() => void refetch()} />
  }
  if (!data) return <SkeletonCards className="h-24" />
  if (data.length === 0) {
    return (
      <>
        {first && <OfflineNote reading={first} />}
        <EmptyState
          picture={<Bell />}
          title={m.notifications_empty()}
          text={m.notifications_empty_text()}
          action={
            <Link to="/notifications?tab=settings" replace className={buttonLook('tint')}>
              {m.notifications_settings()}
            </Link>
          }
        />
      </>
    )
  }
  return (
    <>
      {first && <OfflineNote reading={first} />}
      <ul className="grid grid-cols-1 items-start gap-x-section gap-y-stack lg:grid-cols-2">
        {data.map((notification) => (
          <li key={notification.id}>
            <NotificationCard notification={notification} />
          </li>
        ))}
      </ul>
      <ShowMorePages query={query} />
    </>
  )
}

function useMarkShown(notifications: InfiniteData<Reading<Notification[]>> | undefined) {
  useEffect(() => {
    if (!notifications) return
    // Silent on purpose: only the leaders' statistics would miss it.
    markShown(notifications.pages.flatMap((page) => page.data)).catch((error: unknown) =>
      console.warn('Could not mark the notice as shown', error),
    )
  }, [notifications])
}
