import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CheckCheck, Megaphone, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { editorsQuery } from '#domain/editors.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SegmentedControl } from '#ui/segmented-control.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { ChannelHealthPanel } from './channel-health-panel.tsx'
import { loadingFailed } from './loading-failed.ts'
import { ManagedNotice } from './managed-notice.tsx'
import { NoticeModal } from './notice-modal.tsx'
import { noticesQuery, type ShownNotices } from './notice-queries.ts'

/** Lets admins write, schedule and withdraw notices, see their results and send reminders. */
export function NoticeManagement() {
  const [isWriting, setIsWriting] = useState(false)
  const [search, setSearch] = useSearchParams()
  const show = search.get('show') === 'unacknowledged' ? 'unacknowledged' : 'all'
  const { isSuccess } = useInfiniteQuery(noticesQuery(show))

  function setShow(wanted: ShownNotices) {
    if (wanted === 'all') search.delete('show')
    else search.set('show', wanted)
    setSearch(search, { replace: true })
  }

  return (
    <>
      <div className="grid gap-2.5 lg:grid-cols-[auto_24rem_1fr]">
        <Button onClick={() => setIsWriting(true)}>
          <Plus aria-hidden="true" className="size-5" />
          {m.notifications_write()}
        </Button>
        <SegmentedControl
          label={m.notifications_show()}
          options={[
            { value: 'all', label: m.notifications_show_all() },
            { value: 'unacknowledged', label: m.notifications_show_unacknowledged() },
          ]}
          value={show}
          onChange={setShow}
        />
      </div>
      <div className="grid grid-cols-1 items-start gap-x-section gap-y-stack lg:grid-cols-[2fr_1fr]">
        <Notices show={show} onShowAll={() => setShow('all')} onWrite={() => setIsWriting(true)} />
        {/* Below the notices on a phone, where it would push them down; what keeps them away keeps it away. */}
        {isSuccess && <ChannelHealthPanel />}
      </div>
      {isWriting && <NoticeModal onClose={() => setIsWriting(false)} />}
    </>
  )
}

type NoticesProps = { show: ShownNotices; onShowAll: () => void; onWrite: () => void }

function Notices({ show, onShowAll, onWrite }: NoticesProps) {
  const query = useInfiniteQuery(noticesQuery(show))
  const { error, refetch } = query
  const data = query.data?.pages.flat()
  const ids = data?.flatMap(({ created_by, updated_by }) => [created_by, updated_by])
  const { data: names } = useQuery(
    editorsQuery([...new Set(ids)].filter((id) => id !== null).sort()),
  )
  if (!data && error) {
    return <LoadError error={error} describe={loadingFailed} onRetry={() => void refetch()} />
  }
  if (!data) return <SkeletonCards className="h-28" />
  if (data.length === 0 && show === 'unacknowledged') {
    return (
      <EmptyState
        picture={<CheckCheck />}
        title={m.notifications_none_unacknowledged()}
        text={m.notifications_none_unacknowledged_text()}
        action={
          <Button variant="tint" onClick={onShowAll}>
            {m.notifications_show_every()}
          </Button>
        }
      />
    )
  }
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
      <ul className="grid grid-cols-1 gap-stack">
        {data.map((notice) => (
          <li key={notice.id}>
            <ManagedNotice notice={notice} names={names} />
          </li>
        ))}
      </ul>
      <ShowMorePages query={query} />
    </div>
  )
}
