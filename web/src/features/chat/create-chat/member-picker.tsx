import { useInfiniteQuery } from '@tanstack/react-query'
import { Search, UserRoundX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { memberSearchQuery } from '#features/chat/member-queries.ts'
import type { Member } from '#features/chat/chat-types.ts'
import { useSettled } from '#features/chat/use-settled.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf, showError } from '#lib/notify-error.ts'
import { useUserId } from '#lib/session.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { MemberOption } from './member-option.tsx'

const LOAD_WITHIN_PX = 800

type MemberPickerProps = { selected: readonly Member[]; onToggle: (member: Member) => void }

/** Members found on the server and drawn only where they are in sight: a team can have 10,000. */
export function MemberPicker({ selected, onToggle }: MemberPickerProps) {
  const [search, setSearch] = useState('')
  const wanted = useSettled(search.trim(), 200)
  const list = useRef<VListHandle>(null)
  const query = useInfiniteQuery({
    ...memberSearchQuery(useUserId(), wanted),
    placeholderData: (before) => before,
  })
  const members = query.data?.pages.flat() ?? []
  const selectedIds = new Set(selected.map(({ id }) => id))
  const { error } = query

  useEffect(() => {
    if (error) showError(m.chat_error_loading_users(), error)
  }, [error])

  function loadMoreNearTheEnd(offset: number) {
    const handle = list.current
    const isNear = handle && handle.scrollSize - handle.viewportSize - offset < LOAD_WITHIN_PX
    if (isNear && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2">
      <label className="flex h-11 flex-none items-center gap-2 rounded-field border border-field-line bg-card px-3 focus-within:border-primary focus-within:ring-3 focus-within:ring-tint">
        <Search aria-hidden="true" className="size-5 flex-none text-muted" />
        <input
          type="search"
          aria-label={m.chat_create_search()}
          placeholder={m.chat_create_search()}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          // Enter searches; it must not send the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          className="min-w-0 flex-1 bg-transparent outline-0 placeholder:text-muted"
        />
      </label>
      <fieldset className="min-h-0 flex-1">
        <legend className="sr-only">{m.chat_create_members()}</legend>
        {query.isPending && <SkeletonRows />}
        {error && members.length === 0 && (
          <ErrorState text={messageOf(error)} onRetry={() => void query.refetch()} />
        )}
        {query.isSuccess && members.length === 0 && (
          <EmptyState picture={<UserRoundX />} title={m.chat_create_no_members()} />
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
