import { useInfiniteQuery } from '@tanstack/react-query'
import { Megaphone, Plus } from 'lucide-react'
import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { ChannelHealthPanel } from './channel-health-panel.tsx'
import { ManagedNotice } from './managed-notice.tsx'
import { NoticeModal } from './notice-modal.tsx'
import { noticesQuery } from './notice-queries.ts'

/** Lets admins write, schedule and withdraw notices, see their results and send reminders. */
export function NoticeManagement() {
  const [isWriting, setIsWriting] = useState(false)
  const { isPending } = useInfiniteQuery(noticesQuery())
  return (
    <>
      <Button className="lg:self-start" onClick={() => setIsWriting(true)}>
        <Plus aria-hidden="true" className="size-5" />
        {m.notifications_write()}
      </Button>
      <div className="grid grid-cols-1 items-start gap-x-section gap-y-stack lg:grid-cols-[2fr_1fr]">
        <Notices onWrite={() => setIsWriting(true)} />
        {/* Below the notices on a phone, where it would push them down. */}
        {!isPending && <ChannelHealthPanel />}
      </div>
      {isWriting && <NoticeModal onClose={() => setIsWriting(false)} />}
    </>
  )
}

function Notices({ onWrite }: { onWrite: () => void }) {
  const query = useInfiniteQuery(noticesQuery())
  const { error, refetch } = query
  const data = query.data?.pages.flat()
  if (!data && error) {
    const text = `${m.notifications_error_loading()}: ${messageOf(error)}`
    return <ErrorState text={text} onRetry={() => void refetch()} />
  }
  if (!data) return <SkeletonCards className="h-28" />
  if (data.length === 0) {
    return (
      <EmptyState
        picture={<Megaphone />}
        title={m.notifications_no_notices()}
        text={m.notifications_no_notices_text()}
        action={
          <Button variant="tint" onClick={onWrite}>
            {m.notifications_write_first()}
          </Button>
        }
      />
    )
  }
  return (
    <div className="grid gap-stack">
      <ul className="grid gap-stack">
        {data.map((notice) => (
          <li key={notice.id}>
            <ManagedNotice notice={notice} />
          </li>
        ))}
      </ul>
      <ShowMorePages query={query} />
    </div>
  )
}
