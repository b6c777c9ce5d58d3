import { useInfiniteQuery } from '@tanstack/react-query'
import { UserSearch } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { RowList } from '#ui/row-list.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { peopleQuery, type PeopleFilter, type Person } from './people-queries.ts'
import { PersonRow } from './person-row.tsx'

type PeopleListProps = {
  search: string
  filter: PeopleFilter
  onPress: (person: Person) => void
  /** Takes search and filters away; absent if there are none. */
  onShowAll?: (() => void) | undefined
}

/** Whom a search and filters find, loaded further as the end comes into view. */
export function PeopleList({ search, filter, onPress, onShowAll }: PeopleListProps) {
  const query = useInfiniteQuery(peopleQuery(search, filter))
  const people = query.data?.pages.flat()
  if (!people) {
    if (!query.error) return <SkeletonRows />
    return (
      <LoadError
        error={query.error}
        describe={(message) => m.people_error({ message })}
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (people.length === 0) {
    return (
      <EmptyState
        picture={<UserSearch />}
        title={m.people_none()}
        text={m.people_none_found()}
        action={
          onShowAll && (
            <Button variant="tint" onClick={onShowAll}>
              {m.people_show_all()}
            </Button>
          )
        }
      />
    )
  }
  return (
    <>
      <RowList>
        {people.map((person) => (
          <li key={person.id}>
            <PersonRow person={person} onPress={() => onPress(person)} />
          </li>
        ))}
      </RowList>
      <ShowMorePages query={query} isEndless />
    </>
  )
}
