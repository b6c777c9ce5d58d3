import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { UserSearch } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { memberName } from '#lib/member-name.ts'
import { formatCount } from '#lib/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { Checkbox } from '#ui/checkbox.tsx'
import { TextField } from '#ui/text-field.tsx'
import { peopleQuery } from './notice-queries.ts'

type Props = { chosen: string[]; error?: string; onChange: (chosen: string[]) => void }

/** Finds members by name or address and ticks them; the server searches, so the team may be large. */
export function MemberChoice({ chosen, error, onChange }: Props) {
  const [words, setWords] = useState('')
  const { data } = useQuery({
    ...peopleQuery(useDeferredValue(words)),
    placeholderData: keepPreviousData,
  })
  return (
    <div className="grid gap-1">
      <TextField
        label={m.notifications_find_members()}
        hint={m.notifications_chosen({ count: formatCount(chosen.length) })}
        error={error}
        type="search"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      {data?.length === 0 && (
        <p role="status" className="flex min-h-11 items-center gap-2.5 text-small text-muted">
          <UserSearch aria-hidden="true" className="size-5" />
          {m.notifications_no_members_found()}
        </p>
      )}
      <ul className="max-h-48 overflow-y-auto" aria-label={m.notifications_audience_members()}>
        {data?.map((person) => (
          <li key={person.id}>
            <Checkbox
              label={memberName(person)}
              checked={chosen.includes(person.id)}
              onChange={({ target }) =>
                onChange(
                  target.checked
                    ? [...chosen, person.id]
                    : chosen.filter((each) => each !== person.id),
                )
              }
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
