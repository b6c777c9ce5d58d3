import type { Chat } from '#features/chat/chat-queries.ts'
import type { Composing } from './composing.ts'
import { DaySeparator, NewMessagesLine } from './separators.tsx'
import { MessageBubble } from './message-bubble.tsx'
import { PendingBubble } from './pending-bubble.tsx'
import { ThreadTail } from './thread-tail.tsx'
import type { ThreadRow } from './thread-rows.ts'

type ThreadRowViewProps = {
  row: ThreadRow
  chat: Chat
  isHighlighted: boolean
  onJump: (messageId: string) => void
  onCompose: (composing: Composing) => void
}

export function ThreadRowView({ row, ...props }: ThreadRowViewProps) {
  switch (row.kind) {
    case 'day':
      return <DaySeparator date={row.date} />
    case 'new-messages':
      return <NewMessagesLine />
    case 'pending':
      return <PendingBubble entry={row.entry} />
    case 'tail':
      return <ThreadTail seenId={row.seenId} typingIds={row.typingIds} />
    case 'message':
      return (
        <MessageBubble
          message={row.message}
          isFirstOfRun={row.isFirstOfRun}
          isLastOfRun={row.isLastOfRun}
          {...props}
        />
      )
  }
}
