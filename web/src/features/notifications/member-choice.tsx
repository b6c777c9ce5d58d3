import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { memberName } from '#lib/member-name.ts'
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
        hint={m.notifications_chosen({ count: chosen.length })}
        error={error}
        type="search"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
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
