import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { IconButton } from '#ui/icon-button.tsx'
import { announce } from '#ui/toast-store.ts'
import { NotificationCard } from './notification-card.tsx'
import { unacknowledgedQuery, type Notification } from './notification-queries.ts'

/** Whether Home has to wait for what comes first on it, which would move the rest. */
export function useAwaitsNotices(): boolean {
  // A read that failed is tried again by the notices themselves, and Home does not wait for that.
  return !useQuery(unacknowledgedQuery(useUserId())).isFetched
}

/**
 * What the member has to acknowledge, for Home. Renders nothing while there is nothing, or on error; the
 * Notifications screen reports what went wrong.
 */
export function UnacknowledgedNotices() {
  const { data = [] } = useQuery(unacknowledgedQuery(useUserId()))
  const [placedIds, setPlacedIds] = useState(() => data.map(({ id }) => id))
  const late = data.find(({ id }) => !placedIds.includes(id))
  return (
    <>
      {data
        .filter(({ id }) => placedIds.includes(id))
        .map((notice) => (
          <NotificationCard key={notice.id} notification={notice} />
        ))}
      {late && (
        <LateNotice
          key={late.id}
          notice={late}
          onClose={() => setPlacedIds([...placedIds, late.id])}
        />
      )}
    </>
  )
}

/** One that arrives while Home is read lies above it, so that nothing moves; closed, it takes its place. */
function LateNotice({ notice, onClose }: { notice: Notification; onClose: () => void }) {
  const { title } = notice
  useEffect(() => announce(title), [title])
  return (
    <section
      aria-label={m.notifications_just_arrived()}
      className="fixed inset-x-3 top-[max(0.75rem,env(safe-area-inset-top))] z-40 mx-auto max-h-[70dvh] max-w-column animate-rise overflow-y-auto rounded-card shadow-float lg:right-6 lg:left-auto lg:w-96"
    >
      <NotificationCard
        notification={notice}
        corner={
          <IconButton
            label={m.ui_close()}
            icon={<X />}
            variant="plain"
            className="relative -mt-2.5 -mr-2.5"
            onClick={onClose}
          />
        }
      />
    </section>
  )
}
