import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { memberName } from '#domain/member-name.ts'
import { personQuery } from '#domain/person-queries.ts'
import { stateName } from '#domain/us-states.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import type { PeopleFilter } from './people-queries.ts'
import { roleLabel } from './role-labels.ts'

type ShownFiltersProps = { filter: PeopleFilter; onChange: (filter: PeopleFilter) => void }

/** The filters in effect, each removable. */
export function ShownFilters({ filter, onChange }: ShownFiltersProps) {
  const { role, state, leaderId } = filter
  if (!role && !state && !leaderId) return null
  return (
    <ul className="flex flex-wrap gap-2">
      {role && (
        <Shown label={roleLabel(role)} onRemove={() => onChange({ ...filter, role: null })} />
      )}
      {state && (
        <Shown label={stateName(state)} onRemove={() => onChange({ ...filter, state: null })} />
      )}
      {leaderId && (
        <ShownLeader id={leaderId} onRemove={() => onChange({ ...filter, leaderId: null })} />
      )}
    </ul>
  )
}

function ShownLeader({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { data } = useQuery(personQuery(id))
  const name = data ? memberName({ ...data, email: null }) : '…'
  return <Shown label={m.people_brought_in_by({ name })} onRemove={onRemove} />
}

function Shown({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <li className="min-w-0">
      <Button
        size="sm"
        variant="tint"
        aria-label={m.people_filter_remove({ filter: label })}
        onClick={onRemove}
        className="max-w-full"
      >
        <span className="min-w-0 wrap-anywhere">{label}</span>
        <X aria-hidden="true" className="size-4 flex-none" />
      </Button>
    </li>
  )
}
