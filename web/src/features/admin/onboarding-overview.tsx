import { useInfiniteQuery } from '@tanstack/react-query'
import { Flag, UserSearch } from 'lucide-react'
import { useRef, useState } from 'react'
import { nameOrAddress } from '#domain/member-name.ts'
import { useLiveTopic } from '#lib/live/use-live-topic.ts'
import { m } from '#lib/messages/messages.js'
import { useErrorAlert } from '#lib/supabase/use-error-alert.ts'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import type { ContentType } from './content-types.ts'
import { onboardingOverviewQuery, type MemberProgress } from './member-queries.ts'

const LIVE_TABLES = ['onboarding_progress']
const SETTLE_MS = 250

/** Everyone's New Rep Start progress, live and page by page; members with open steps come first. */
export function OnboardingOverview({ type, onAdd }: { type: ContentType; onAdd: () => void }) {
  useLiveTopic('admins', LIVE_TABLES)
  const [search, setSearch] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const settled = useDebouncedValue(search.trim(), SETTLE_MS)
  const list = useInfiniteQuery({
    ...onboardingOverviewQuery(settled),
    placeholderData: (before) => before,
  })
  const { data, error } = list
  useErrorAlert(m.admin_error_users(), { data, error })
  const members = data?.pages.flat() ?? []
  if (members[0]?.total_count === 0) {
    return (
      <EmptyState
        picture={<Flag />}
        title={type.emptyTitle()}
        text={type.emptyText()}
        action={
          <Button variant="tint" onClick={onAdd}>
            {type.addFirst()}
          </Button>
        }
      />
    )
  }
  function clear() {
    setSearch('')
    // The pressed button disappears with the search.
    field.current?.focus()
  }
  return (
    <>
      <div className="w-full max-w-column">
        <TextField
          ref={field}
          type="search"
          label={m.admin_search_users()}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {list.isPending && <SkeletonRows />}
      {error && !data && (
        <LoadError
          error={error}
          describe={(message) => `${m.admin_error_users()}: ${message}`}
          onRetry={() => void list.refetch()}
        />
      )}
      {data && members.length === 0 && (
        <EmptyState
          picture={<UserSearch />}
          title={m.admin_no_users()}
          text={m.admin_no_users_text()}
          action={
            <Button variant="tint" onClick={clear}>
              {m.admin_clear_search()}
            </Button>
          }
        />
      )}
      {members.length > 0 && (
        <Card className="py-1">
          <ul className="divide-y divide-line">
            {members.map((member) => (
              <MemberRow key={member.user_id} member={member} />
            ))}
          </ul>
        </Card>
      )}
      <ShowMorePages query={list} shown={members.length} total={members[0]?.members_found} />
    </>
  )
}

function MemberRow({ member }: { member: MemberProgress }) {
  const name = nameOrAddress(member)
  const { done_count: done, total_count: total, next_title: next } = member
  return (
    <li className="flex items-center gap-3 py-3">
      <Avatar name={name} seed={member.user_id} />
      <div className="min-w-0 flex-1 lg:grid lg:grid-cols-[16rem_minmax(0,1fr)_minmax(0,1fr)] lg:items-center lg:gap-6">
        <div className="flex items-baseline justify-between gap-3">
          <p className="truncate font-semibold">{name}</p>
          <p className="flex-none text-note text-muted tabular-nums">
            {m.admin_progress_of({ done, total })}
          </p>
        </div>
        <ProgressBar
          label={m.admin_progress_label({ name })}
          value={done}
          max={Math.max(total, 1)}
        />
        <p className="truncate text-note text-muted">
          {next ? m.admin_progress_next({ title: next }) : m.admin_progress_done()}
        </p>
      </div>
    </li>
  )
}
