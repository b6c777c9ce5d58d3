import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { UserSearch } from 'lucide-react'
import { useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { m } from '#lib/messages/messages.js'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { memberName } from './member-name.ts'

export type PickedMember = ResultRow<'list_members'>

const PAGE = 30
const SETTLE_MS = 250

/** For admins: members by first name, searched by the server, since a team may have 10,000. */
const pickedMembersQuery = (filter: string, query: string) =>
  infiniteQueryOptions({
    queryKey: ['users', 'picker', filter, query],
    queryFn: ({ pageParam, signal }) =>
      callFunction('list_members', { filter, query, max_results: PAGE, skip: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last: PickedMember[], pages: PickedMember[][]) =>
      last.length < PAGE ? undefined : pages.length * PAGE,
  })

type Props = {
  title: string
  description?: string
  /** Whom the list has: `active` members, or `all` but deleted accounts. */
  filter: 'active' | 'all'
  /** Cannot be picked. */
  without?: string
  /** What picking nobody is called; without it somebody has to be picked. */
  nobody?: string | undefined
  onPick: (member: PickedMember | null) => void
  onClose: () => void
}

/** For admins: a sheet to pick one member from, by typing a part of the name or e-mail. */
export function MemberPicker({
  title,
  description,
  filter,
  without,
  nobody,
  onPick,
  onClose,
}: Props) {
  const [typed, setTyped] = useState('')
  const query = useInfiniteQuery({
    ...pickedMembersQuery(filter, useDebouncedValue(typed.trim(), SETTLE_MS)),
    placeholderData: keepPreviousData,
  })
  const members = query.data?.pages.flat().filter(({ id }) => id !== without)
  return (
    <Modal open onClose={onClose} title={title} {...(description && { description })}>
      <SearchField label={m.members_search()} value={typed} onChange={setTyped} />
      {/* As high as ten rows, so that the sheet keeps its place while the list changes. */}
      <div className="h-96 max-h-[50dvh] overflow-y-auto">
        {query.isPending && <SkeletonRows />}
        {query.error && !members && (
          <LoadError
            error={query.error}
            describe={(message) => m.members_error({ message })}
            onRetry={() => void query.refetch()}
          />
        )}
        {members?.length === 0 && (
          <EmptyState
            picture={<UserSearch />}
            title={m.members_none()}
            text={m.members_none_found()}
            action={
              <Button variant="tint" onClick={() => setTyped('')}>
                {m.members_clear_search()}
              </Button>
            }
          />
        )}
        {members && members.length > 0 && (
          <ul>
            {members.map((member) => (
              <li key={member.id}>
                <Pressable
                  onClick={() => onPick(member)}
                  className="flex min-h-14 w-full items-center gap-3 rounded-field px-2 text-left hover:bg-tint"
                >
                  <Avatar name={memberName(member)} seed={member.id} size="sm" />
                  <span className="min-w-0">
                    <span className="block truncate font-semibold">{memberName(member)}</span>
                    <span className="block truncate text-note text-muted">{member.email}</span>
                  </span>
                </Pressable>
              </li>
            ))}
          </ul>
        )}
        <ShowMorePages query={query} />
      </div>
      {nobody && (
        <Button variant="ghost" onClick={() => onPick(null)}>
          {nobody}
        </Button>
      )}
    </Modal>
  )
}
