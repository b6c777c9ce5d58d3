import { useQuery } from '@tanstack/react-query'
import { UserSearch } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { useErrorAlert } from '#lib/server/use-error-alert.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { RowList } from '#ui/row-list.tsx'
import { Screen } from '#ui/screen.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { ShowMore } from '#ui/show-more.tsx'
import { Skeleton, SkeletonRows } from '#ui/skeleton.tsx'
import { MemberCard } from './member-card.tsx'
import { isMemberFound, managedMembersQuery } from './managed-members.ts'

const ChangeAll = lazy(async () => ({ default: (await import('./change-all.tsx')).ChangeAll }))

/** A team may have thousands of members, and each card has several switches. */
const SHOWN_AT_ONCE = 50

/**
 * Every member by first name, with the three permissions and the role (product.md P100 to P104). The address may say whom to
 * search for.
 */
export function ChatManagement() {
  const [address] = useSearchParams()
  const [search, setSearch] = useState(address.get('search') ?? '')
  const field = useRef<HTMLInputElement>(null)
  const { data, error, refetch, isPending } = useQuery(managedMembersQuery())
  useErrorAlert(m.admin_error_users(), { data, error })
  const [most, setMost] = useState(SHOWN_AT_ONCE)
  const found = data?.filter((member) => isMemberFound(member, search))
  function clear() {
    setSearch('')
    // The pressed button disappears with the search.
    field.current?.focus()
  }

  const admins = data?.filter(({ role }) => role === 'admin').length ?? 0
  return (
    <Screen wide header={<PageHeader title={m.admin_chat_management()} back="/admin" />}>
      <div className="grid gap-2.5 lg:grid-cols-[1fr_auto] lg:items-end">
        <SearchField
          ref={field}
          isTall
          label={m.admin_search_users()}
          value={search}
          onChange={setSearch}
        />
        {found && found.length > 1 && (
          <Suspense fallback={<Skeleton className="h-11 lg:w-36" />}>
            <ChangeAll members={found} />
          </Suspense>
        )}
      </div>
      {isPending && <SkeletonRows />}
      {error && !data && (
        <LoadError
          error={error}
          describe={(message) => `${m.admin_error_users()}: ${message}`}
          onRetry={() => void refetch()}
        />
      )}
      {found?.length === 0 && (
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
      {found && found.length > 0 && (
        <RowList>
          {found.slice(0, most).map((member) => (
            <li key={member.id}>
              <MemberCard member={member} isLastAdmin={member.role === 'admin' && admins === 1} />
            </li>
          ))}
        </RowList>
      )}
      <ShowMore
        hasMore={(found?.length ?? 0) > most}
        onMore={() => setMost(most + SHOWN_AT_ONCE)}
        shown={most}
        total={found?.length ?? 0}
      />
    </Screen>
  )
}
