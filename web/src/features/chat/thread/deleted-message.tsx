import { Ban } from 'lucide-react'
import { m } from '#lib/messages/messages.js'

/** What remains in sight of a message that was deleted. */
export function DeletedMessage({ reason }: { reason: string | null }) {
  return (
    <p className="flex items-center gap-1.5 italic opacity-80">
      <Ban aria-hidden="true" className="size-4 flex-none" />
      {reason ? m.chat_deleted_by_admin({ reason }) : m.chat_deleted()}
    </p>
  )
}
