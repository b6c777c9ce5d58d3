import type { Chat } from '#features/chat/model/chat-queries.ts'
import type { Composing } from '#features/chat/model/composing.ts'
import { useMemberName } from '#features/chat/model/member-names.ts'
import { dayLabel } from '#lib/i18n/day-label.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import { MessageBubble } from './message-bubble.tsx'
import type { AskedSheet } from './message-sheets.tsx'
import { PendingBubble } from './pending-bubble.tsx'
import { SeenBy } from './seen-by.tsx'
import type { ThreadRow } from './thread-rows.ts'

type ThreadRowViewProps = {
  row: ThreadRow
  chat: Chat
  isHighlighted: boolean
  onJump: (messageId: string) => void
  onCompose: (composing: Composing) => void
  onAsk: (asked: AskedSheet) => void
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
      return <ThreadTail {...row} isOfTwo={props.chat.type === 'individual'} />
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

type ThreadTailProps = {
  seenId: string | null
  typingIds: readonly string[]
  isOfTwo: boolean
}

/** Below the last message: who has seen it, who is typing. */
function ThreadTail({ seenId, typingIds, isOfTwo }: ThreadTailProps) {
  return (
    <div>
      {seenId && <SeenBy messageId={seenId} isOfTwo={isOfTwo} />}
      <TypingNote memberIds={typingIds} />
    </div>
  )
}

/** Who is typing, below the last message. */
function TypingNote({ memberIds }: { memberIds: readonly string[] }) {
  const [first = '', second = ''] = [useMemberName(memberIds[0]), useMemberName(memberIds[1])].map(
    (name) => name.split(' ')[0],
  )
  return (
    <p aria-live="polite" className="min-h-7 pt-1.5 pb-1 text-note text-muted">
      {memberIds.length === 1 && first && m.chat_typing_one({ name: first })}
      {memberIds.length === 2 && m.chat_typing_two({ first, second })}
      {memberIds.length > 2 && m.chat_typing_many()}
    </p>
  )
}

function DaySeparator({ date }: { date: string }) {
  const now = useNow()
  return (
    <div className="flex justify-center py-2">
      <span className="rounded-full bg-tint px-3 py-1 text-caption font-semibold text-muted">
        {dayLabel(date, now)}
      </span>
    </div>
  )
}

function NewMessagesLine() {
  return (
    <div className="flex items-center gap-2.5 py-1.5 text-caption font-semibold text-danger-text">
      <span className="h-px flex-1 bg-danger/40" />
      {m.chat_new_messages()}
      <span className="h-px flex-1 bg-danger/40" />
    </div>
  )
}
