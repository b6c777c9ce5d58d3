import { Lock } from 'lucide-react'
import { m } from '#lib/messages/messages.js'

/** In the composer's place while an admin has switched off sending. */
export function NoSendPermission() {
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-2 border-t border-line bg-card px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] text-center text-small text-muted"
    >
      <Lock aria-hidden="true" className="size-4 flex-none" />
      {m.chat_no_send_permission()}
    </p>
  )
}
