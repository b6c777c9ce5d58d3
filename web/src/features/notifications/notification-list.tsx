import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { useLinkedPlace } from '#lib/use-linked-place.ts'
import { buttonLook } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { OfflineNote } from '#ui/offline-note.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { loadingFailed } from './loading-failed.ts'
import { NotificationCard } from './notification-card.tsx'
import { markShown, notificationsQuery, type Notification } from './notification-queries.ts'

export function NotificationList() {
  const inbox = notificationsQuery(useUserId())
  const { isAwaited, copiedAt } = useCopyState(inbox)
  const query = useInfiniteQuery(inbox)
  const { error, refetch, isFetching, isFetchingNextPage, fetchNextPage } = query
  // Older pages follow what the server says, not a copy.
  const hasNextPage = query.hasNextPage && !isAwaited && copiedAt === undefined
  const pages = { hasNextPage, isFetching, isFetchingNextPage, fetchNextPage }
  useMarkShown(query.data)
  const data = query.data?.pages.flat()
  useFurtherPages(pages, data)
  if (!data && error) {
    return <LoadError error={error} describe={loadingFailed} onRetry={() => void refetch()} />
  }
  if (!data) return <SkeletonCards className="h-24" />
  if (data.length === 0) {
    return (
      <>
        <OfflineNote copiedAt={copiedAt} />
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
      <OfflineNote copiedAt={copiedAt} />
      <ul className="grid w-full max-w-3xl grid-cols-1 gap-stack">
        {data.map((notification) => (
          <Place key={notification.id} notification={notification} />
        ))}
      </ul>
      <ShowMorePages query={pages} />
    </>
  )
}

function Place({ notification }: { notification: Notification }) {
  return (
    <li {...useLinkedPlace<HTMLLIElement>(notification.id)} className="rounded-card">
      <NotificationCard notification={notification} />
    </li>
  )
}

type Pages = { hasNextPage: boolean; isFetching: boolean; fetchNextPage: () => unknown }

/** Whoever follows a link to an old notice gets the pages up to it. */
function useFurtherPages({ hasNextPage, isFetching, fetchNextPage }: Pages, data?: Notification[]) {
  const { hash } = useLocation()
  const isMissing = hash !== '' && data?.every(({ id }) => `#${id}` !== hash)
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching) void fetchNextPage()
  }, [isMissing, hasNextPage, isFetching, fetchNextPage])
}

function useMarkShown(notifications: InfiniteData<Notification[]> | undefined) {
  useEffect(() => {
    if (!notifications) return
    // Silent on purpose: only the leaders' statistics would miss it.
    markShown(notifications.pages.flat()).catch((error: unknown) =>
      console.warn('Could not mark the notice as shown', error),
    )
  }, [notifications])
}
