import { Forward } from 'lucide-react'
import { m } from '#lib/messages/messages.js'

/** Above what was first said elsewhere; not where, which its readers may not see. */
export function ForwardedNote() {
  return (
    <p className="flex items-center gap-1 text-caption italic opacity-80">
      <Forward aria-hidden="true" className="size-3.5 flex-none" />
      {m.chat_forwarded()}
    </p>
  )
}
