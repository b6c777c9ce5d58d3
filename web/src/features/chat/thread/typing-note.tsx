import { useMemberName } from '#features/chat/use-member-name.ts'
import { m } from '#lib/messages/messages.js'

/** Who is typing, below the last message. */
export function TypingNote({ memberIds }: { memberIds: readonly string[] }) {
  const [first = '', second = ''] = [useMemberName(memberIds[0]), useMemberName(memberIds[1])].map(
    (name) => name.split(' ')[0],
  )
  return (
    <p aria-live="polite" className="min-h-7 pt-1.5 pb-1 text-note text-muted">
      {memberIds.length === 1 && first && m.chat_typing_one({ name: first })}
      {memberIds.length === 2 && m.chat_typing_two({ first, second })}
      {memberIds.length > 2 && m.chat_typing_many()}
    </p>
  )
}
