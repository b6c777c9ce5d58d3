import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { classNames } from '#ui/class-names.ts'
import type { Mentionable } from './mentions.ts'

type MentionListProps = {
  id: string
  members: Mentionable[]
  index: number
  onChoose: (member: Mentionable) => void
}

/** Participants whose name matches the text after the @. */
export function MentionList({ id, members, index, onChoose }: MentionListProps) {
  return (
    <ul
      id={id}
      role="listbox"
      aria-label={m.chat_mention_list()}
      className="absolute bottom-full left-0 z-10 mb-2 w-72 max-w-full animate-appear rounded-card border border-line bg-card p-1.5 shadow-float"
    >
      {members.map((member, position) => (
        <li
          key={member.id}
          id={`${id}-${position}`}
          role="option"
          aria-selected={position === index}
          // Before the press takes focus from the field.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(member)
          }}
          className={classNames(
            'flex min-h-11 cursor-pointer items-center gap-3 rounded-tight px-2.5',
            position === index && 'bg-tint',
          )}
        >
          <Avatar name={member.name} seed={member.id} size="sm" />
          <span className="truncate font-medium">{member.name}</span>
        </li>
      ))}
    </ul>
  )
}
