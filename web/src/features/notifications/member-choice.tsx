import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { UserSearch } from 'lucide-react'
import { useDeferredValue, useId, useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import { ChosenMembers } from '#domain/chosen-members.tsx'
import { memberName } from '#domain/member-name.ts'
import { memberSearchQuery, type FoundMember } from '#domain/member-search.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/server/notify-error.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'

type Props = {
  chosen: FoundMember[]
  error?: string
  onChange: (chosen: FoundMember[]) => void
}

/** Searches members by name or address, with checkboxes; the server searches, since the team may be large. */
export function MemberChoice({ chosen, error, onChange }: Props) {
  const [words, setWords] = useState('')
  const query = useInfiniteQuery({
    ...memberSearchQuery(useUserId(), useDeferredValue(words.trim())),
    placeholderData: keepPreviousData,
  })
  const found = query.data?.pages.flat() ?? []
  const chosenIds = new Set(chosen.map(({ id }) => id))
  const remove = (member: FoundMember) => onChange(chosen.filter(({ id }) => id !== member.id))
  const problemId = useId()
  const problem = query.error
    ? `${m.notifications_error_members()}: ${messageOf(query.error)}`
    : error
  return (
    <div className="grid grid-cols-1 gap-1">
      <SearchField
        label={m.notifications_find_members()}
        value={words}
        onChange={setWords}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? problemId : undefined}
      />
      <p id={problemId} aria-live="polite" className="text-note font-medium text-danger-text">
        {problem}
      </p>
      <ChosenMembers members={chosen} onRemove={remove} />
      {query.isSuccess && found.length === 0 && (
        <p role="status" className="flex min-h-11 items-center gap-2.5 text-small text-muted">
          <UserSearch aria-hidden="true" className="size-5" />
          {m.notifications_no_members_found()}
        </p>
      )}
      <ul className="max-h-48 overflow-y-auto" aria-label={m.notifications_audience_members()}>
        {found.map((member) => (
          <li key={member.id}>
            <Checkbox
              label={memberName(member)}
              checked={chosenIds.has(member.id)}
              onChange={({ target }) =>
                target.checked ? onChange([...chosen, member]) : remove(member)
              }
            />
          </li>
        ))}
        {query.hasNextPage && (
          <li>
            <ShowMorePages query={query} />
          </li>
        )}
      </ul>
    </div>
  )
}
