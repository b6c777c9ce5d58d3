import { useQuery } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { vicePresidentsQuery } from './home-queries.ts'

/** Whose words the welcome is. Without two of them (a new team, or no answer) the card does without. */
export function VicePresidents() {
  const { data: reading, isPending } = useQuery(vicePresidentsQuery())
  const people = (reading?.data ?? []).map(({ id, ...person }) => ({
    id,
    name: `${person.first_name} ${person.last_name}`.trim(),
  }))
  if (isPending) return <Skeleton className="h-11" />
  if (people.length < 2) return null
  return (
    <div className="flex items-center gap-3">
      <div className="flex flex-none">
        {people.map(({ id, name }) => (
          <Avatar key={id} name={name} seed={id} className="border-2 border-card not-first:-ml-3" />
        ))}
      </div>
      <div className="min-w-0">
        <p className="font-semibold">{people.map(({ name }) => name).join(' & ')}</p>
        <p className="text-note text-muted">{m.home_vice_presidents()}</p>
      </div>
    </div>
  )
}
