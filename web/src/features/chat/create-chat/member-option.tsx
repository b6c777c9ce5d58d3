import { Check } from 'lucide-react'
import type { Member } from '#features/chat/chat-types.ts'
import { memberName } from '#lib/member-name.ts'
import { Avatar } from '#ui/avatar.tsx'

type MemberOptionProps = { member: Member; isSelected: boolean; onToggle: () => void }

/** One member to tick; a real checkbox underneath. */
export function MemberOption({ member, isSelected, onToggle }: MemberOptionProps) {
  const name = memberName(member)
  return (
    <label className="relative flex min-h-15 cursor-pointer items-center gap-3 rounded-field px-2 hover:bg-tint/60 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-primary">
      <input
        type="checkbox"
        checked={isSelected}
        onChange={onToggle}
        className="peer absolute inset-0 cursor-pointer opacity-0"
      />
      <Avatar name={name} seed={member.id} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{name}</span>
        <span className="block truncate text-note text-muted">{member.email}</span>
      </span>
      <span
        aria-hidden="true"
        className="grid size-6 flex-none place-items-center rounded-full border-2 border-field-line text-transparent peer-checked:border-primary peer-checked:bg-primary peer-checked:text-primary-ink"
      >
        <Check className="size-4" strokeWidth={3} />
      </span>
    </label>
  )
}
