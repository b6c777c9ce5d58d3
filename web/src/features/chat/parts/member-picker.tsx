import { useInfiniteQuery } from '@tanstack/react-query'
import { UserRoundX } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { useUserId } from '#data/session/session.ts'
import { AddressText } from '#domain/address-text.tsx'
import { memberName } from '#domain/member-name.ts'
import { memberSearchQuery } from '#domain/member-search.ts'
import type { Member } from '#features/chat/model/chat-types.ts'
import { m } from '#lib/messages/messages.js'
import { useErrorAlert } from '#lib/server/use-error-alert.ts'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { CheckRow } from '#ui/check-row.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'

const LOAD_WITHIN_PX = 800

type MemberPickerProps = { selected: readonly Member[]; onToggle: (member: Member) => void }

/** Members searched on the server, in a virtualized list: a team can have 10,000. */
export function MemberPicker({ selected, onToggle }: MemberPickerProps) {
  const [search, setSearch] = useState('')
  const wanted = useDebouncedValue(search.trim(), 200)
  const list = useRef<VListHandle>(null)
  const found = useRef<HTMLFieldSetElement>(null)
  const query = useInfiniteQuery({
    ...memberSearchQuery(useUserId(), wanted),
    placeholderData: (before) => before,
  })
  const members = query.data?.pages.flat() ?? []
  const selectedIds = new Set(selected.map(({ id }) => id))
  const { error } = query
  useErrorAlert(m.chat_error_loading_users(), query)

  function clear() {
    setSearch('')
    // The pressed button disappears, so the members it reveals get focus.
    found.current?.focus()
  }

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const loadMoreNearTheEnd = useCallback(() => {
    const handle = list.current
    if (!handle || !hasNextPage || isFetchingNextPage) return
    const left = handle.scrollSize - handle.viewportSize - handle.scrollOffset
    if (left < LOAD_WITHIN_PX) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  // The end was reached while a page was loading, so no further scroll event will trigger the next one.
  useEffect(loadMoreNearTheEnd, [loadMoreNearTheEnd])

  return (
    <div className="flex min-h-60 flex-1 flex-col gap-2">
      <SearchField label={m.chat_create_search()} value={search} onChange={setSearch} />
      <fieldset ref={found} tabIndex={-1} className="min-h-0 flex-1 focus:outline-0">
        <legend className="sr-only">{m.chat_create_members()}</legend>
        {query.isPending && <SkeletonRows />}
        {error && members.length === 0 && (
          <LoadError error={error} onRetry={() => void query.refetch()} />
        )}
        {query.isSuccess && members.length === 0 && (
          <EmptyState
            picture={<UserRoundX />}
            title={m.chat_create_no_members()}
            text={m.chat_create_no_members_hint()}
            action={
              <Button variant="tint" onClick={clear}>
                {m.chat_search_clear()}
              </Button>
            }
          />
        )}
        {members.length > 0 && (
          <VList ref={list} data={members} onScroll={loadMoreNearTheEnd} className="h-full">
            {(member) => (
              <MemberOption
                key={member.id}
                member={member}
                isSelected={selectedIds.has(member.id)}
                onToggle={() => onToggle(member)}
              />
            )}
          </VList>
        )}
      </fieldset>
    </div>
  )
}

type MemberOptionProps = { member: Member; isSelected: boolean; onToggle: () => void }

/** A member with a checkbox. */
function MemberOption({ member, isSelected, onToggle }: MemberOptionProps) {
  const name = memberName(member)
  return (
    <CheckRow
      picture={<Avatar name={name} seed={member.id} />}
      title={name}
      text={member.email && <AddressText address={member.email} />}
      checked={isSelected}
      onChange={onToggle}
    />
  )
}
