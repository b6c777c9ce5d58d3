import { X } from 'lucide-react'
import type { Member } from '#features/chat/chat-types.ts'
import { firstName, memberName } from '#lib/member-name.ts'
import { m } from '#lib/messages/messages.js'

type SelectedMembersProps = { members: readonly Member[]; onRemove: (member: Member) => void }

/** Who is chosen so far, each with a way out again. */
export function SelectedMembers({ members, onRemove }: SelectedMembersProps) {
  return (
    <div className="min-h-5">
      <p role="status" className="text-note font-semibold">
        {members.length > 0 && m.chat_create_selected({ count: members.length })}
      </p>
      <ul className="flex max-h-20 flex-wrap gap-1.5 overflow-y-auto py-1">
        {members.map((member) => (
          <li key={member.id}>
            <button
              type="button"
              onClick={() => onRemove(member)}
              aria-label={m.chat_create_remove({ name: memberName(member) })}
              className="inline-flex min-h-8 items-center gap-1 rounded-full bg-tint pr-2 pl-3 text-note font-semibold text-primary hover:brightness-95"
            >
              {firstName(member)}
              <X aria-hidden="true" className="size-4" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
