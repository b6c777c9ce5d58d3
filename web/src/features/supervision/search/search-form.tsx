import { useState, type FormEvent } from 'react'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { SEARCHED_KINDS } from './record-kinds.ts'
import type { Search } from './search-queries.ts'

const LEAST_REASON = 3

type Props = {
  search: Search
  onChange: (search: Search) => void
  /** Why the server refused what was typed into a field. */
  refused: { person?: string; chat?: string }
  isWaiting: boolean
  onSearch: () => void
}

/** What to look for, and why: nothing is searched without a reason, and nothing while typing. */
export function SearchForm({ search, onChange, refused, isWaiting, onSearch }: Props) {
  const [isTried, setIsTried] = useState(false)
  const isReasonShort = search.reason.trim().length < LEAST_REASON
  const isOrderWrong = search.from !== '' && search.to !== '' && search.to < search.from
  const field = (name: keyof Search) => ({
    value: search[name],
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...search, [name]: event.target.value }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setIsTried(true)
    if (!isReasonShort && !isOrderWrong && !isWaiting) onSearch()
  }

  return (
    <form
      noValidate
      onSubmit={submit}
      className="grid grid-cols-2 items-start gap-2.5 lg:grid-cols-4"
    >
      <div className="col-span-2">
        <TextField
          label={m.archive_search_words()}
          hint={m.archive_search_words_hint()}
          maxLength={200}
          {...field('words')}
        />
      </div>
      <div className="col-span-2">
        <TextField
          label={m.archive_search_reason()}
          hint={m.archive_search_reason_hint()}
          error={isTried && isReasonShort ? m.archive_search_reason_missing() : undefined}
          maxLength={500}
          {...field('reason')}
        />
      </div>
      <TextField
        label={m.archive_search_person()}
        error={refused.person}
        maxLength={200}
        {...field('person')}
      />
      <TextField
        label={m.archive_search_chat()}
        error={refused.chat}
        maxLength={200}
        {...field('chat')}
      />
      <TextField label={m.archive_search_from()} type="date" max={search.to} {...field('from')} />
      <TextField
        label={m.archive_search_to()}
        type="date"
        min={search.from}
        error={isTried && isOrderWrong ? m.archive_search_days_order() : undefined}
        {...field('to')}
      />
      <div className="col-span-2">
        <SelectField
          label={m.archive_search_kind()}
          {...field('kind')}
          options={[
            { value: '', label: m.archive_search_everything() },
            ...Object.entries(SEARCHED_KINDS).map(([value, name]) => ({ value, label: name() })),
          ]}
        />
      </div>
      <div className="col-span-2 self-end">
        <Button type="submit" size="lg" isWaiting={isWaiting}>
          {m.archive_search_start()}
        </Button>
      </div>
    </form>
  )
}
