import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { UserSearch } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useLiveTopic } from '#data/live/use-live-topic.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { RowList } from '#ui/row-list.tsx'
import { Screen } from '#ui/screen.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { MemberRow } from './member-row.tsx'
import { MemberSheet } from './member-sheet.tsx'
import {
  MEMBER_FILTERS,
  memberCountsQuery,
  memberListQuery,
  type MemberFilter,
} from './member-queries.ts'
import { WaitingRow } from './waiting-row.tsx'

const LIVE_TABLES = ['users']
const FILTERS: Record<MemberFilter, () => string> = {
  active: m.members_filter_active,
  waiting: m.members_filter_waiting,
  new: m.members_filter_new,
  stuck: m.members_filter_stuck,
  admins: m.members_filter_admins,
  never_opened: m.members_filter_never_opened,
  silent: m.members_filter_silent,
  suspended: m.members_filter_suspended,
  removed: m.members_filter_removed,
  declined: m.members_filter_declined,
}
const SETTLE_MS = 250

/** Who belongs to the team, with a sheet for each member. */
export function MembersScreen() {
  useLiveTopic('team', LIVE_TABLES)
  const [filter, setFilter] = useFilter()
  const [address] = useSearchParams()
  const [search, setSearch] = useState(() => address.get('search') ?? '')
  const [openId, setOpenId] = useState<string | null>(null)
  const settled = useDebouncedValue(search.trim(), SETTLE_MS)
  const counts = useQuery(memberCountsQuery())
  const list = useInfiniteQuery(memberListQuery(filter, settled))
  const members = list.data?.pages.flat() ?? []
  return (
    <Screen wide header={<PageHeader title={m.members_title()} back="/admin" />}>
      <div className="grid gap-2.5 lg:grid-cols-[1fr_20rem] lg:items-end">
        <SearchField isTall label={m.members_search()} value={search} onChange={setSearch} />
        <SelectField
          label={m.members_filters()}
          value={filter}
          onChange={(event) => setFilter(event.target.value as MemberFilter)}
          options={MEMBER_FILTERS.map((value) => ({
            value,
            label: counts.data
              ? `${FILTERS[value]()} (${formatCount(counts.data[value])})`
              : FILTERS[value](),
          }))}
        />
      </div>
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && (
        <LoadError
          error={list.error}
          describe={(message) => m.members_error({ message })}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data && members.length === 0 && (
        <EmptyState
          picture={<UserSearch />}
          title={m.members_none()}
          text={noneText(filter, settled)}
          action={
            (settled !== '' || filter !== 'active') && (
              <Button
                variant="tint"
                onClick={() => {
                  setSearch('')
                  setFilter('active')
                }}
              >
                {m.members_show_all()}
              </Button>
            )
          }
        />
      )}
      {members.length > 0 && (
        <RowList>
          {members.map((member) => (
            <li key={member.id}>
              {member.status === 'waiting' ? (
                <WaitingRow member={member} onOpen={() => setOpenId(member.id)} />
              ) : (
                <MemberRow member={member} onOpen={() => setOpenId(member.id)} />
              )}
            </li>
          ))}
        </RowList>
      )}
      <ShowMorePages
        query={list}
        shown={members.length}
        total={settled ? undefined : counts.data?.[filter]}
      />
      {openId && <MemberSheet id={openId} onClose={() => setOpenId(null)} />}
    </Screen>
  )
}

/** Which members are shown, in the address: other screens and notifications lead to one of them. */
function useFilter() {
  const [address, setAddress] = useSearchParams()
  const named = address.get('filter') as MemberFilter | null
  const filter = named && MEMBER_FILTERS.includes(named) ? named : 'active'
  const setFilter = (next: MemberFilter) =>
    setAddress(next === 'active' ? {} : { filter: next }, { replace: true })
  return [filter, setFilter] as const
}

function noneText(filter: MemberFilter, search: string): string {
  if (search) return m.members_none_found()
  return filter === 'waiting' ? m.members_nobody_waits() : m.members_none_here()
}
