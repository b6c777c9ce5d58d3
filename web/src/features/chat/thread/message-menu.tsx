import {
  Bookmark,
  BookmarkX,
  Copy,
  Ellipsis,
  Flag,
  Forward,
  Link,
  Pencil,
  Pin,
  PinOff,
  Plus,
  Reply,
  Trash2,
} from 'lucide-react'
import { useRef, type Ref } from 'react'
import { useUserId } from '#data/session/session.ts'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import type { Composing } from '#features/chat/model/composing.ts'
import { useSaved } from '#features/chat/model/saved-messages.ts'
import { usePermissions } from '#features/chat/model/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { copyText } from '#ui/copy-text.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { Menu, type MenuItem } from '#ui/menu.tsx'
import { linksOf } from './links-of.ts'
import type { AskedSheet } from './message-sheets.tsx'
import { QUICK_REACTIONS } from './reactions.ts'
import { isPinned } from './pins.ts'
import { useMessageActions } from './use-message-actions.ts'
import { usePins } from './use-pins.ts'

type MessageMenuProps = {
  message: Message
  /** What the message is called. */
  label: string
  chat: Chat
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  button: Ref<HTMLButtonElement>
  /** How far below the button the menu opens, in pixels: a message may be taller than the window. */
  pressedBelow: number
  onCompose: (composing: Composing) => void
  onAsk: (asked: AskedSheet) => void
  /** Its text is not shown, and so not copied. */
  isFolded: boolean
}

/** All actions on a message, by a button (on hover or focus), a right click or a long press. */
export function MessageMenu({
  message,
  label,
  chat,
  isOpen,
  onOpenChange,
  button,
  pressedBelow,
  onCompose,
  onAsk,
  isFolded,
}: MessageMenuProps) {
  const isOwn = message.sender_id === useUserId()
  const { canSendMessages, canRemoveMessages } = usePermissions()
  const { react } = useMessageActions()
  const { mayPin, pin, unpin } = usePins(chat)
  const { isSaved, change } = useSaved(message, isOpen)

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

  const ask = (sheet: AskedSheet['sheet']) => onAsk({ sheet, message })
  const copy = () => void copyText(message.message, m.chat_copied())

  const signs = QUICK_REACTIONS.map((emoji) => ({
    sign: emoji,
    label: m.chat_react_with({ emoji }),
    onSelect: () => react(message, emoji),
  }))
  const more = { sign: <Plus />, label: m.chat_emoji_more(), onSelect: () => ask('emoji') }
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
    onSelect: () => ask('delete'),
    isDestructive: true,
  }

  const forward: MenuItem = {
    icon: <Forward />,
    label: m.chat_forward(),
    onSelect: () => ask('forward'),
  }
  const pinning: MenuItem = isPinned(chat, message.id)
    ? { icon: <PinOff />, label: m.chat_unpin(), onSelect: () => unpin(message.id) }
    : { icon: <Pin />, label: m.chat_pin(), onSelect: () => pin(message) }

  const preview: MenuItem = {
    icon: <Link />,
    label: m.chat_link_preview(),
    onSelect: () => ask('preview'),
  }
  const saving: MenuItem = {
    icon: isSaved ? <BookmarkX /> : <Bookmark />,
    label: isSaved ? m.chat_unsave() : m.chat_save_message(),
    onSelect: () => change(!isSaved),
  }

  const report: MenuItem = {
    icon: <Flag />,
    label: m.safety_report(),
    onSelect: () => ask('report'),
  }

  return (
    <Menu
      trigger={
        <IconButton
          ref={button}
          style={{ translate: `0 ${pressedBelow}px`, transitionProperty: 'opacity' }}
          label={m.chat_message_options_of({ message: label })}
          title={m.chat_message_options()}
          icon={<Ellipsis />}
          variant="quiet"
          shape="round"
          className="sticky top-20 bottom-20 -m-1.5 self-center opacity-0 group-hover:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100 [@media(hover:none)]:pointer-events-none"
        />
      }
      signs={canSendMessages ? [...signs, more] : []}
      items={[
        ...(canSendMessages ? [reply] : []),
        ...(message.message && !isFolded
          ? [{ icon: <Copy />, label: m.chat_copy(), onSelect: copy }]
          : []),
        ...(isOpen && !isFolded && linksOf(message.message).length > 0 ? [preview] : []),
        ...(canSendMessages && !isFolded ? [forward] : []),
        ...(isFolded ? [] : [saving]),
        ...(mayPin ? [pinning] : []),
        ...(isOwn && canSendMessages && !message.forwarded_from ? [edit] : []),
        ...(isOwn ? [] : [report]),
        ...(isOwn || canRemoveMessages ? [remove] : []),
      ]}
      align={isOwn ? 'end' : 'start'}
      open={isOpen}
      onOpenChange={onOpenChange}
      onCloseAutoFocus={onCloseAutoFocus}
    />
  )
}
