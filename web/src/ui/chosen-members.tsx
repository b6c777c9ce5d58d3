import type { Member } from '#features/chat/chat-types.ts'
import { firstName, memberName } from '#lib/member-name.ts'
import { formatCount } from '#lib/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { ChipButton } from '#ui/chip-button.tsx'

type SelectedMembersProps = { members: readonly Member[]; onRemove: (member: Member) => void }

/** Who is chosen so far, each with a way out again. */
export function SelectedMembers({ members, onRemove }: SelectedMembersProps) {
  return (
    <div className="min-h-5">
      <p role="status" className="text-note font-semibold">
        {members.length > 0 && m.chat_create_selected({ count: formatCount(members.length) })}
      </p>
      <ul className="flex max-h-20 flex-wrap gap-1.5 overflow-y-auto py-1">
        {members.map((member) => (
          <li key={member.id}>
            <ChipButton
              variant="remove"
              onClick={() => onRemove(member)}
              aria-label={m.chat_create_remove({ name: memberName(member) })}
            >
              {firstName(member)}
            </ChipButton>
          </li>
        ))}
      </ul>
    </div>
  )
}
