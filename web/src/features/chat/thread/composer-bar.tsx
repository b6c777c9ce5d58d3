import { X } from 'lucide-react'
import { useMemberName } from '#features/chat/use-member-name.ts'
import { m } from '#lib/messages/messages.js'
import { useUserId } from '#lib/session.ts'
import { IconButton } from '#ui/icon-button.tsx'
import type { Composing } from './composing.ts'

/** Says above the field that this is a reply or an edit, and how to stop it. */
export function ComposerBar({
  composing,
  onCancel,
}: {
  composing: Composing
  onCancel: () => void
}) {
  const senderId = composing.kind === 'reply' ? composing.to.sender_id : null
  const isOwn = senderId === useUserId()
  const name = useMemberName(senderId)
  if (composing.kind === 'new') return null

  const message = composing.kind === 'reply' ? composing.to : composing.message
  return (
    <div className="flex items-center gap-2 pt-2 pr-2 pl-4 lg:pl-6">
      <div className="min-w-0 flex-1 border-l-3 border-primary pl-2.5 text-note">
        <p className="font-semibold text-primary">
          {composing.kind === 'edit'
            ? m.chat_editing()
            : m.chat_replying_to({ name: isOwn ? m.chat_you() : name })}
        </p>
        <p className="truncate text-muted">{message.message || m.chat_message_is_image()}</p>
      </div>
      <IconButton label={m.chat_cancel()} icon={<X />} variant="plain" onClick={onCancel} />
    </div>
  )
}
