import { SlidersHorizontal } from 'lucide-react'
import { useRef, useState } from 'react'
import { useLiveTopic } from '#data/live/use-live-topic.ts'
import { memberName } from '#domain/member-name.ts'
import { openPerson } from '#domain/open-person.ts'
import { m } from '#lib/messages/messages.js'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { FilterSheet } from './filter-sheet.tsx'
import { PeopleList } from './people-list.tsx'
import { ShownFilters } from './shown-filters.tsx'
import { NO_FILTER, usePeopleFilter } from './use-people-filter.ts'

const LIVE_TABLES = ['users']
const SETTLE_MS = 250

/** Everybody on the team, to search and filter; pressing somebody opens their profile. */
export function PeopleScreen() {
  useLiveTopic('team', LIVE_TABLES)
  const [filter, setFilter] = usePeopleFilter()
  const [typed, setTyped] = useState('')
  const [isFiltering, setIsFiltering] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const search = useDebouncedValue(typed.trim(), SETTLE_MS)
  const isFiltered = Boolean(filter.role ?? filter.state ?? filter.leaderId)

  function showAll() {
    setTyped('')
    setFilter(NO_FILTER)
    // The pressed button disappears.
    field.current?.focus()
  }

  return (
    <Screen
      header={
        <PageHeader
          title={m.people_title()}
          back="/home"
          actions={
            <IconButton
              label={m.people_filter()}
              icon={<SlidersHorizontal />}
              onClick={() => setIsFiltering(true)}
            />
          }
        />
      }
      refreshes={LIVE_TABLES}
    >
      <SearchField ref={field} label={m.people_search()} value={typed} onChange={setTyped} />
      <ShownFilters filter={filter} onChange={setFilter} />
      <PeopleList
        search={search}
        filter={filter}
        onPress={(person) => openPerson({ id: person.id, name: memberName(person) })}
        onShowAll={search || isFiltered ? showAll : undefined}
      />
      {isFiltering && (
        <FilterSheet filter={filter} onChange={setFilter} onClose={() => setIsFiltering(false)} />
      )}
    </Screen>
  )
}
