import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { UserSearch } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { memberName } from '#lib/member-name.ts'
import { memberSearchQuery, type FoundMember } from '#lib/member-search.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/notify-error.ts'
import { useUserId } from '#lib/session.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { ChosenMembers } from '#ui/chosen-members.tsx'
import { TextField } from '#ui/text-field.tsx'

type Props = {
  chosen: FoundMember[]
  error?: string
  onChange: (chosen: FoundMember[]) => void
}

/** Finds members by name or address and ticks them; the server searches, so the team may be large. */
export function MemberChoice({ chosen, error, onChange }: Props) {
  const [words, setWords] = useState('')
  const query = useInfiniteQuery({
    ...memberSearchQuery(useUserId(), useDeferredValue(words.trim())),
    placeholderData: keepPreviousData,
  })
  const found = query.data?.pages.flat() ?? []
  const chosenIds = new Set(chosen.map(({ id }) => id))
  const remove = (member: FoundMember) => onChange(chosen.filter(({ id }) => id !== member.id))
  return (
    <div className="grid gap-1">
      <TextField
        label={m.notifications_find_members()}
        error={
          query.error ? `${m.notifications_error_members()}: ${messageOf(query.error)}` : error
        }
        type="search"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
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
            <Button
              size="sm"
              variant="ghost"
              isWaiting={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {m.notifications_show_more()}
            </Button>
          </li>
        )}
      </ul>
    </div>
  )
}
