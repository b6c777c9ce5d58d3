import { Ellipsis } from 'lucide-react'
import type { ChatSummary } from '#features/chat/model/chat-types.ts'
import { useChatMenuItems } from '#features/chat/parts/use-chat-menu-items.tsx'
import { m } from '#lib/messages/messages.js'
import { IconButton } from '#ui/icon-button.tsx'
import { Menu } from '#ui/menu.tsx'

type ChatMenuProps = {
  chat: ChatSummary
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Pin, mark as unread, mute, archive and hide, by a button (on hover or focus), right click or long press. */
export function ChatMenu({ chat, isOpen, onOpenChange }: ChatMenuProps) {
  const items = useChatMenuItems(chat)
  return (
    <div className="absolute right-1 bottom-1 opacity-0 transition group-hover:opacity-100 focus-within:opacity-100 has-data-[state=open]:opacity-100 [@media(hover:none)]:pointer-events-none">
      <Menu
        trigger={
          <IconButton
            label={m.chat_options_of({ title: chat.title })}
            icon={<Ellipsis />}
            shape="small"
          />
        }
        items={items}
        open={isOpen}
        onOpenChange={onOpenChange}
      />
    </div>
  )
}
