import { CalendarDays, Files, Images, TextSearch } from 'lucide-react'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { ChatAttachments, type AttachmentKind } from './chat-attachments.tsx'
import { JumpToDate } from './jump-to-date.tsx'
import { SearchInChat } from './search-in-chat.tsx'
import type { Jump } from './use-jump.ts'

export type ChatTool = 'search' | 'date' | AttachmentKind

/** Ways to find something in a chat. */
export function ChatTools({ onOpen }: { onOpen: (tool: ChatTool) => void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="ghost" size="sm" onClick={() => onOpen('search')}>
        <TextSearch aria-hidden="true" className="size-4" />
        {m.chat_search_here()}
      </Button>
      <Button variant="ghost" size="sm" onClick={() => onOpen('date')}>
        <CalendarDays aria-hidden="true" className="size-4" />
        {m.chat_jump_to_date()}
      </Button>
      <Button variant="ghost" size="sm" onClick={() => onOpen('photos')}>
        <Images aria-hidden="true" className="size-4" />
        {m.chat_photos()}
      </Button>
      <Button variant="ghost" size="sm" onClick={() => onOpen('files')}>
        <Files aria-hidden="true" className="size-4" />
        {m.chat_files()}
      </Button>
    </div>
  )
}

type ChatToolSheetProps = {
  tool: ChatTool
  chat: Chat
  jump: Jump
  onClose: () => void
  /** The thread is on its way to a message, which the details would cover. */
  onJumped: () => void
}

export function ChatToolSheet({ tool, chat, jump, onClose, onJumped }: ChatToolSheetProps) {
  if (tool === 'photos' || tool === 'files')
    return <ChatAttachments chatId={chat.id} kind={tool} onClose={onClose} />
  if (tool === 'date') return <JumpToDate onClose={onClose} onJump={leadingTo(jump.toDay)} />
  return <SearchInChat chatId={chat.id} onClose={onClose} onJump={leadingTo(jump.to)} />

  function leadingTo(go: (target: string) => void) {
    return (target: string) => {
      onJumped()
      go(target)
    }
  }
}
