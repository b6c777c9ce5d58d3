import { useInfiniteQuery, infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { Flag, UserSearch } from 'lucide-react'
import { useRef, useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { useLiveTopic } from '#data/live/use-live-topic.ts'
import { nameOrAddress } from '#domain/member-name.ts'
import { timeSince } from '#lib/i18n/time-since.ts'
import { m } from '#lib/messages/messages.js'
import { useErrorAlert } from '#lib/server/use-error-alert.ts'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Chip } from '#ui/chip.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { ContentType } from './content-types.ts'

type MemberProgress = ResultRow<'onboarding_overview'>

const PAGE = 50

/** `new`: joined in the last 90 days, and neither admin nor vice president. `stuck`: see the database's `stuck_members`. */
const PROGRESS_FILTERS = ['all', 'new', 'stuck'] as const
type ProgressFilter = (typeof PROGRESS_FILTERS)[number]

/** The members' progress page by page, who is stuck first; only whom the search finds. */
const onboardingOverviewQuery = (filter: ProgressFilter, search: string) =>
  infiniteQueryOptions({
    queryKey: ['onboarding_progress', 'overview', filter, search],
    meta: { alsoReads: ['newrepstart_content', 'users'] },
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      callFunction(
        'onboarding_overview',
        { filter, query: search, max_results: PAGE, skip: pageParam },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
  })

const LIVE_TABLES = ['onboarding_progress']
const SETTLE_MS = 250
const FILTERS: Record<ProgressFilter, () => string> = {
  all: m.admin_progress_all,
  new: m.admin_progress_new,
  stuck: m.admin_progress_stuck,
}

/** Everyone's New Rep Start progress, live and page by page; new members who are stuck come first. */
export function OnboardingOverview({ type, onAdd }: { type: ContentType; onAdd: () => void }) {
  useLiveTopic('admins', LIVE_TABLES)
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<ProgressFilter>('all')
  const field = useRef<HTMLInputElement>(null)
  const settled = useDebouncedValue(search.trim(), SETTLE_MS)
  const list = useInfiniteQuery(onboardingOverviewQuery(filter, settled))
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
  function showAll() {
    setSearch('')
    setFilter('all')
    // The pressed button disappears.
    field.current?.focus()
  }
  return (
    <>
      <div className="grid gap-2.5 lg:grid-cols-[1fr_20rem] lg:items-end">
        <SearchField
          ref={field}
          isTall
          label={m.admin_search_users()}
          value={search}
          onChange={setSearch}
        />
        <SelectField
          label={m.members_filters()}
          value={filter}
          onChange={(event) => setFilter(event.target.value as ProgressFilter)}
          options={PROGRESS_FILTERS.map((value) => ({ value, label: FILTERS[value]() }))}
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
          text={settled ? m.admin_no_users_text() : m.members_none_here()}
          action={
            <Button variant="tint" onClick={showAll}>
              {m.members_show_all()}
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
  const { done_count: done, total_count: total, next_title: next, is_stuck } = member
  return (
    <li className="flex items-center gap-3 py-3">
      <Avatar name={name} seed={member.user_id} />
      <div className="min-w-0 flex-1 lg:grid lg:grid-cols-[16rem_minmax(0,1fr)_minmax(0,1fr)] lg:items-center lg:gap-6">
        <div className="flex items-baseline justify-between gap-3">
          <p className="min-w-0 font-semibold break-words">{name}</p>
          <p className="flex-none text-note text-muted tabular-nums">
            {m.admin_progress_of({ done, total })}
          </p>
        </div>
        <ProgressBar
          label={m.admin_progress_label({ name })}
          value={done}
          max={Math.max(total, 1)}
        />
        <div className="flex items-center justify-between gap-3 text-note text-muted">
          <div className="min-w-0">
            <p className="truncate">
              {next ? m.admin_progress_next({ title: next }) : m.admin_progress_done()}
            </p>
            {next && <p>{lastSign(member)}</p>}
          </div>
          {is_stuck && <Chip tone="danger">{m.admin_progress_stuck()}</Chip>}
        </div>
      </div>
    </li>
  )
}

/** When the last step was done; without one, since when they are on the team. */
function lastSign({ last_done_at, joined_at }: MemberProgress): string | null {
  const time = (at: string) => timeSince(Date.parse(at), Date.now())
  if (last_done_at) return m.admin_progress_last({ time: time(last_done_at) })
  return joined_at && m.admin_progress_no_step({ time: time(joined_at) })
}
