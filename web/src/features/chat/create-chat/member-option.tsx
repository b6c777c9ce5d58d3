import type { Member } from '#features/chat/chat-types.ts'
import { memberName } from '#lib/member-name.ts'
import { Avatar } from '#ui/avatar.tsx'
import { CheckRow } from '#ui/check-row.tsx'

type MemberOptionProps = { member: Member; isSelected: boolean; onToggle: () => void }

/** One member to tick. */
export function MemberOption({ member, isSelected, onToggle }: MemberOptionProps) {
  const name = memberName(member)
  return (
    <CheckRow
      picture={<Avatar name={name} seed={member.id} />}
      title={name}
      text={member.email}
      checked={isSelected}
      onChange={onToggle}
    />
  )
}
