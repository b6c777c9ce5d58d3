import { Ban } from 'lucide-react'
import { unblockMember } from '#domain/blocked-people.ts'
import { useMemberName } from '#features/chat/model/member-names.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'

/** Replaces the composer in the chat with somebody whom the member blocked. */
export function BlockedNote({ id }: { id: string }) {
  const name = useMemberName(id)

  function unblock() {
    unblockMember(id).catch((error: unknown) => showError(m.safety_block_failed(), error))
  }

  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 border-t border-line bg-card px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] text-small text-muted"
    >
      <span className="flex items-center gap-2">
        <Ban aria-hidden="true" className="size-4 flex-none" />
        {m.safety_you_blocked({ name })}
      </span>
      <Button variant="tint" size="sm" onClick={unblock}>
        {m.safety_unblock()}
      </Button>
    </div>
  )
}
