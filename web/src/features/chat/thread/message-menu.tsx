import { Copy, Ellipsis, Pencil, Reply, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useRef } from 'react'
import type { Message } from '#features/chat/chat-types.ts'
import { usePermissions } from '#features/chat/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { useUserId } from '#lib/session.ts'
import { showToast } from '#ui/toast-store.ts'
import type { Composing } from './composing.ts'
import { MessageMenuItem } from './message-menu-item.tsx'
import { QUICK_REACTIONS } from './reactions.ts'
import { useMessageActions } from './use-message-actions.ts'

type MessageMenuProps = {
  message: Message
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  onCompose: (composing: Composing) => void
  onDelete: () => void
}

/** Everything that can be done with a message: from its button, a right click or a long press. */
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

  // The menu gives the focus back to its button, unless the next thing to do is to write.
  function onCloseAutoFocus(event: Event) {
    if (goesToComposer.current) event.preventDefault()
    goesToComposer.current = false
  }

  function copy() {
    void navigator.clipboard.writeText(message.message).then(() => showToast(m.chat_copied()))
  }

  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={onOpenChange} modal={false}>
      <DropdownMenu.Trigger
        aria-label={m.chat_message_options()}
        className="-m-1.5 grid size-11 flex-none place-items-center self-center rounded-full text-muted opacity-0 transition group-hover:opacity-100 hover:bg-tint focus-visible:opacity-100 data-[state=open]:opacity-100 [@media(hover:none)]:opacity-75"
      >
        <Ellipsis aria-hidden="true" className="size-5" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={isOwn ? 'end' : 'start'}
          sideOffset={4}
          collisionPadding={12}
          onCloseAutoFocus={onCloseAutoFocus}
          className="z-50 min-w-52 animate-appear rounded-card border border-line bg-card p-1.5 text-ink shadow-float"
        >
          {canSendMessages && (
            <DropdownMenu.Group className="flex gap-0.5 border-b border-line pb-1.5">
              {QUICK_REACTIONS.map((emoji) => (
                <DropdownMenu.Item
                  key={emoji}
                  aria-label={m.chat_react_with({ emoji })}
                  onSelect={() => react(message, emoji)}
                  className="grid size-11 cursor-pointer place-items-center rounded-full text-figure outline-0 data-highlighted:bg-tint"
                >
                  {emoji}
                </DropdownMenu.Item>
              ))}
            </DropdownMenu.Group>
          )}
          {canSendMessages && (
            <MessageMenuItem
              icon={<Reply />}
              label={m.chat_reply()}
              onSelect={() => compose({ kind: 'reply', to: message })}
            />
          )}
          {message.message && (
            <MessageMenuItem icon={<Copy />} label={m.chat_copy()} onSelect={copy} />
          )}
          {isOwn && canSendMessages && (
            <MessageMenuItem
              icon={<Pencil />}
              label={m.chat_edit()}
              onSelect={() => compose({ kind: 'edit', message })}
            />
          )}
          {(isOwn || isAdmin) && (
            <MessageMenuItem
              icon={<Trash2 />}
              label={isOwn ? m.chat_delete() : m.chat_remove_message()}
              onSelect={onDelete}
              isDestructive
            />
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
