import { Copy, Ellipsis, Pencil, Reply, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import type { Message } from '#features/chat/chat-types.ts'
import { usePermissions } from '#features/chat/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { useUserId } from '#lib/supabase/session.ts'
import { copyText } from '#ui/copy-text.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { Menu, type MenuItem } from '#ui/menu.tsx'
import type { Composing } from './composing.ts'
import { QUICK_REACTIONS } from './reactions.ts'
import { useMessageActions } from './use-message-actions.ts'

type MessageMenuProps = {
  message: Message
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  onCompose: (composing: Composing) => void
  onDelete: () => void
}

/** All actions on a message, by a button (on hover or focus), a right click or a long press. */
export function MessageMenu({
  message,
  isOpen,
  onOpenChange,
  onCompose,
  onDelete,
}: MessageMenuProps) {
  const isOwn = message.sender_id === useUserId()
  const { canSendMessages, isAdmin } = usePermissions()
  const { react } = useMessageActions()

  const goesToComposer = useRef(false)

  function compose(composing: Composing) {
    goesToComposer.current = true
    onCompose(composing)
  }

  // The menu returns focus to its button, unless the next step is writing.
  function onCloseAutoFocus(event: Event) {
    if (goesToComposer.current) event.preventDefault()
    goesToComposer.current = false
  }

  const copy = () => void copyText(message.message, m.chat_copied())

  const signs = QUICK_REACTIONS.map((emoji) => ({
    sign: emoji,
    label: m.chat_react_with({ emoji }),
    onSelect: () => react(message, emoji),
  }))
  const reply: MenuItem = {
    icon: <Reply />,
    label: m.chat_reply(),
    onSelect: () => compose({ kind: 'reply', to: message }),
  }
  const edit: MenuItem = {
    icon: <Pencil />,
    label: m.chat_edit(),
    onSelect: () => compose({ kind: 'edit', message }),
  }
  const remove: MenuItem = {
    icon: <Trash2 />,
    label: isOwn ? m.chat_delete() : m.chat_remove_message(),
    onSelect: onDelete,
    isDestructive: true,
  }

  return (
    <Menu
      trigger={
        <IconButton
          label={m.chat_message_options()}
          icon={<Ellipsis />}
          variant="quiet"
          shape="round"
          className="-m-1.5 self-center opacity-0 group-hover:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100 [@media(hover:none)]:pointer-events-none"
        />
      }
      signs={canSendMessages ? signs : []}
      items={[
        ...(canSendMessages ? [reply] : []),
        ...(message.message ? [{ icon: <Copy />, label: m.chat_copy(), onSelect: copy }] : []),
        ...(isOwn && canSendMessages ? [edit] : []),
        ...(isOwn || isAdmin ? [remove] : []),
      ]}
      align={isOwn ? 'end' : 'start'}
      open={isOpen}
      onOpenChange={onOpenChange}
      onCloseAutoFocus={onCloseAutoFocus}
    />
  )
}
