import type { Chat } from '#features/chat/chat-queries.ts'
import { DaySeparator, NewMessagesLine } from './separators.tsx'
import { MessageBubble } from './message-bubble.tsx'
import { PendingBubble } from './pending-bubble.tsx'
import type { ThreadRow } from './thread-rows.ts'

type ThreadRowViewProps = {
  row: ThreadRow
  chat: Chat
  isHighlighted: boolean
  onJump: (messageId: string) => void
}

export function ThreadRowView({ row, chat, isHighlighted, onJump }: ThreadRowViewProps) {
  switch (row.kind) {
    case 'day':
      return <DaySeparator date={row.date} />
    case 'new-messages':
      return <NewMessagesLine />
    case 'pending':
      return <PendingBubble entry={row.entry} />
    case 'tail':
      return <div className="h-3" />
    case 'message':
      return (
        <MessageBubble
          message={row.message}
          chat={chat}
          isFirstOfRun={row.isFirstOfRun}
          isLastOfRun={row.isLastOfRun}
          isHighlighted={isHighlighted}
          onJump={onJump}
        />
      )
  }
}
