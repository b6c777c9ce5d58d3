import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { MailSearch } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { RowList } from '#ui/row-list.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { RevokeQuestion } from './revoke-question.tsx'
import { SelectionBar } from './selection-bar.tsx'
import {
  sentCountsQuery,
  sentInvitationsQuery,
  type SentFilter,
  type SentInvitation,
  type SentState,
} from './sent-queries.ts'
import { SentRow } from './sent-row.tsx'
import { SentSheet } from './sent-sheet.tsx'
import { mayResend, mayRevoke } from './sent-words.ts'
import { useSentChanges } from './use-sent-changes.ts'

const FILTERS: Record<SentFilter, () => string> = {
  pending: m.invitations_filter_pending,
  accepted: m.invitations_filter_accepted,
  bounced: m.invitations_filter_bounced,
  expired: m.invitations_filter_expired,
  revoked: m.invitations_filter_revoked,
  all: m.invitations_filter_all,
}
const FILTER_ORDER = Object.keys(FILTERS) as SentFilter[]
const SETTLE_MS = 250

/** Invitations by mail: to find, to send again and to take back, one or several. */
export function SentList() {
  const [params] = useSearchParams()
  const [filter, setFilter] = useState(() => filterNamed(params.get('filter')))
  const [search, setSearch] = useState(() => params.get('search') ?? '')
  const [openId, setOpenId] = useState<string>()
  const [selected, setSelected] = useState<ReadonlySet<string>>()
  const [asking, setAsking] = useState<SentInvitation[]>([])
  const settled = useDebouncedValue(search.trim(), SETTLE_MS)
  const counts = useQuery(sentCountsQuery()).data
  const list = useInfiniteQuery(sentInvitationsQuery(filter, settled))
  const invitations = list.data?.pages.flat() ?? []
  const chosen = invitations.filter(({ id }) => selected?.has(id))
  const open = invitations.find(({ id }) => id === openId)
  const { resend, revoke } = useSentChanges(() => {
    setSelected(undefined)
    setOpenId(undefined)
    setAsking([])
  })

  function show(next: SentFilter, words: string) {
    setFilter(next)
    setSearch(words)
    setSelected(undefined)
  }

  return (
    <>
      <div className="grid gap-2.5 lg:grid-cols-[1fr_20rem] lg:items-end">
        <SearchField
          isTall
          label={m.invitations_search()}
          value={search}
          onChange={(words) => show(filter, words)}
        />
        <SelectField
          label={m.invitations_filters()}
          value={filter}
          onChange={(event) => show(event.target.value as SentFilter, search)}
          options={FILTER_ORDER.map((value) => ({ value, label: filterLabel(value, counts) }))}
        />
      </div>
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && (
        <LoadError
          error={list.error}
          describe={(message) => m.invitations_failed({ message })}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data && invitations.length === 0 && (
        <EmptyState
          picture={<MailSearch />}
          title={m.invitations_none_found_title()}
          text={settled ? m.invitations_none_found() : m.invitations_none_here()}
          action={
            settled || filter !== 'pending' ? (
              <Button variant="tint" onClick={() => show('pending', '')}>
                {m.invitations_show_pending()}
              </Button>
            ) : (
              <NavigationButton to="/admin/invite" variant="tint">
                {m.invitations_title()}
              </NavigationButton>
            )
          }
        />
      )}
      {invitations.some(mayResend) && (
        <SelectionBar
          count={selected && chosen.length}
          isBusy={resend.isPending}
          onStart={() => setSelected(new Set())}
          onAll={() => setSelected(new Set(invitations.filter(mayResend).map(({ id }) => id)))}
          onEnd={() => setSelected(undefined)}
          onResend={() => resend.mutate(chosen)}
          onRevoke={chosen.some(mayRevoke) ? () => setAsking(chosen.filter(mayRevoke)) : undefined}
        />
      )}
      {invitations.length > 0 && (
        <RowList>
          {invitations.map((invitation) => (
            <li key={invitation.id}>
              <SentRow
                invitation={invitation}
                isSelected={selected?.has(invitation.id)}
                onSelect={(isOn) => setSelected((before) => toggled(before, invitation.id, isOn))}
                onOpen={() => setOpenId(invitation.id)}
              />
            </li>
          ))}
        </RowList>
      )}
      <ShowMorePages
        query={list}
        shown={invitations.length}
        total={settled || !counts ? undefined : countOf(filter, counts)}
      />
      {open && asking.length === 0 && (
        <SentSheet
          invitation={open}
          isResending={resend.isPending}
          onResend={() => resend.mutate([open])}
          onRevoke={() => setAsking([open])}
          onClose={() => setOpenId(undefined)}
        />
      )}
      <RevokeQuestion
        count={asking.length}
        isBusy={revoke.isPending}
        onCancel={() => setAsking([])}
        onConfirm={() => revoke.mutate(asking)}
      />
    </>
  )
}

function toggled(before: ReadonlySet<string> | undefined, id: string, isOn: boolean) {
  const next = new Set(before)
  if (isOn) next.add(id)
  else next.delete(id)
  return next
}

type Counts = Record<SentState, number>

function countOf(filter: SentFilter, counts: Counts): number {
  if (filter !== 'all') return counts[filter]
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Other screens lead to what they count. */
function filterNamed(name: string | null): SentFilter {
  return FILTER_ORDER.find((filter) => filter === name) ?? 'pending'
}

function filterLabel(filter: SentFilter, counts: Counts | null | undefined): string {
  const name = FILTERS[filter]()
  return counts ? `${name} (${formatCount(countOf(filter, counts))})` : name
}
