import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { UserSearch } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '#lib/i18n/format-count.ts'
import { useLiveTopic } from '#lib/live/use-live-topic.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { MemberRow } from './member-row.tsx'
import { MemberSheet } from './member-sheet.tsx'
import { memberCountsQuery, memberListQuery, type MemberFilter } from './member-queries.ts'

const LIVE_TABLES = ['users']
const FILTERS: { filter: MemberFilter; name: () => string }[] = [
  { filter: 'active', name: m.members_filter_active },
  { filter: 'admins', name: m.members_filter_admins },
  { filter: 'never_opened', name: m.members_filter_never_opened },
  { filter: 'silent', name: m.members_filter_silent },
  { filter: 'suspended', name: m.members_filter_suspended },
  { filter: 'removed', name: m.members_filter_removed },
]
const SETTLE_MS = 250

/** Who belongs to the team, with a sheet for each member. */
export function MembersScreen() {
  useLiveTopic('team', LIVE_TABLES)
  const [filter, setFilter] = useState<MemberFilter>('active')
  const [search, setSearch] = useState('')
  const [openId, setOpenId] = useState<string | null>(null)
  const settled = useDebouncedValue(search.trim(), SETTLE_MS)
  const counts = useQuery(memberCountsQuery())
  const list = useInfiniteQuery(memberListQuery(filter, settled))
  const members = list.data?.pages.flat() ?? []
  return (
    <Screen wide header={<PageHeader title={m.members_title()} back="/admin" />}>
      <div className="grid gap-2.5 lg:grid-cols-[1fr_20rem] lg:items-end">
        <TextField
          type="search"
          label={m.members_search()}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <SelectField
          label={m.members_filters()}
          value={filter}
          onChange={(event) => setFilter(event.target.value as MemberFilter)}
          options={FILTERS.map(({ filter: value, name }) => ({
            value,
            label: counts.data ? `${name()} (${formatCount(counts.data[value])})` : name(),
          }))}
        />
      </div>
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && (
        <ErrorState
          text={m.members_error({ message: messageOf(list.error) })}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data && members.length === 0 && (
        <EmptyState
          picture={<UserSearch />}
          title={m.members_none()}
          text={settled ? m.members_none_found() : m.members_none_here()}
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
        <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-card shadow-card">
          {members.map((member) => (
            <li key={member.id}>
              <MemberRow member={member} onOpen={() => setOpenId(member.id)} />
            </li>
          ))}
        </ul>
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
