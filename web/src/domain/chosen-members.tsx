import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { ChipButton } from '#ui/chip-button.tsx'
import { firstName, memberName, type NamedMember } from './member-name.ts'

type ChosenMembersProps<Chosen> = {
  members: readonly Chosen[]
  onRemove: (member: Chosen) => void
}

/** The members chosen so far, each removable. */
export function ChosenMembers<Chosen extends NamedMember & { id: string }>({
  members,
  onRemove,
}: ChosenMembersProps<Chosen>) {
  return (
    <div className="min-h-5">
      <p role="status" className="text-note font-semibold">
        {members.length > 0 && m.ui_chosen_members({ count: formatCount(members.length) })}
      </p>
      <ul className="flex max-h-20 flex-wrap gap-1.5 overflow-y-auto py-1">
        {members.map((member) => (
          <li key={member.id} className="max-w-full">
            <ChipButton
              variant="remove"
              onClick={() => onRemove(member)}
              aria-label={m.ui_remove_chosen({ name: memberName(member) })}
            >
              {firstName(member)}
            </ChipButton>
          </li>
        ))}
      </ul>
    </div>
  )
}
