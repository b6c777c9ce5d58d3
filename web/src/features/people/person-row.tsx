import { ChevronRight } from 'lucide-react'
import { useUserId } from '#data/session/session.ts'
import { AddressText } from '#domain/address-text.tsx'
import { memberName } from '#domain/member-name.ts'
import { roleNames } from '#domain/person-roles.ts'
import { stateName } from '#domain/us-states.ts'
import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { Pressable } from '#ui/pressable.tsx'
import type { Person } from './people-queries.ts'

type PersonRowProps = { person: Person; onPress: () => void }

/** A member in a list of people: name, and what tells two of the same name apart. */
export function PersonRow({ person, onPress }: PersonRowProps) {
  const name = memberName(person)
  const isSelf = person.id === useUserId()
  const words = [
    ...(isSelf ? [m.people_you()] : []),
    ...roleNames(person),
    ...(person.state ? [stateName(person.state)] : []),
  ]
  return (
    <Pressable
      onClick={onPress}
      className="flex min-h-15 w-full items-center gap-3 px-4 py-2.5 text-left hover:bg-tint"
    >
      <Avatar name={name} seed={person.id} />
      <span className="min-w-0 flex-1">
        <span className="block font-semibold wrap-anywhere">{name}</span>
        <span className="block text-note wrap-anywhere text-muted">
          {words.join(' · ') || (person.email && <AddressText address={person.email} />)}
        </span>
      </span>
      <ChevronRight aria-hidden="true" className="size-5 flex-none text-muted" />
    </Pressable>
  )
}
