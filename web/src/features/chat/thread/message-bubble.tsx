import { formatFullTime, formatTimeOfDay } from '#features/chat/chat-timestamp.ts'
import type { Chat } from '#features/chat/chat-queries.ts'
import type { Message } from '#features/chat/chat-types.ts'
import { useMemberName } from '#features/chat/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { getLocale } from '#lib/messages/runtime.js'
import { useUserId } from '#lib/session.ts'
import { classNames } from '#ui/class-names.ts'
import { bubbleLook } from './bubble-look.ts'
import { DeletedMessage } from './deleted-message.tsx'
import { MessageText } from './message-text.tsx'

type MessageBubbleProps = {
  message: Message
  chat: Chat
  isFirstOfRun: boolean
  isLastOfRun: boolean
  isHighlighted: boolean
  onJump: (messageId: string) => void
}

export function MessageBubble(props: MessageBubbleProps) {
  const { message, chat, isFirstOfRun, isLastOfRun, isHighlighted } = props
  const isOwn = message.sender_id === useUserId()
  const showsName = isFirstOfRun && !isOwn && chat.type !== 'individual'
  return (
    <article className={classNames('group pb-0.5', isFirstOfRun && 'pt-1.5')}>
      <div className={bubbleLook({ isOwn, isLastOfRun, isHighlighted })}>
        {showsName && <SenderName id={message.sender_id} />}
        {message.is_deleted ? (
          <DeletedMessage reason={message.deleted_reason} />
        ) : (
          <MessageText text={message.message} mentions={message.mentions} />
        )}
        <MessageFoot message={message} />
      </div>
    </article>
  )
}

function SenderName({ id }: { id: string }) {
  return <p className="mb-0.5 min-h-4 text-xs font-semibold text-primary">{useMemberName(id)}</p>
}

function MessageFoot({ message }: { message: Message }) {
  return (
    <p className="mt-0.5 text-right text-[11px] opacity-75">
      {message.edited_at && !message.is_deleted && <>{m.chat_edited()} · </>}
      <time dateTime={message.sent_at} title={formatFullTime(message.sent_at, getLocale())}>
        {formatTimeOfDay(message.sent_at, getLocale())}
      </time>
    </p>
  )
}
