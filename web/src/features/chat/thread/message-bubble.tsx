import { Ban } from 'lucide-react'
import { useState } from 'react'
import type { Chat } from '#features/chat/chat-queries.ts'
import { formatFullTime, formatTimeOfDay } from '#features/chat/chat-timestamp.ts'
import type { Message } from '#features/chat/chat-types.ts'
import { useMemberName } from '#features/chat/use-member-name.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { useUserId } from '#lib/supabase/session.ts'
import { Avatar } from '#ui/avatar.tsx'
import { classNames } from '#ui/class-names.ts'
import { useMenuGestures } from '#ui/use-menu-gestures.ts'
import { AttachmentView } from './attachment-view.tsx'
import { bubbleLook } from './bubble-look.ts'
import type { Composing } from './composing.ts'
import { DeleteMessageDialog } from './delete-message-dialog.tsx'
import { MessageMenu } from './message-menu.tsx'
import { MessageText } from './message-text.tsx'
import { QuotedMessage } from './quoted-message.tsx'
import { ReactionRow } from './reaction-row.tsx'

export type MessageBubbleProps = {
  message: Message
  chat: Chat
  isFirstOfRun: boolean
  isLastOfRun: boolean
  isHighlighted: boolean
  onJump: (messageId: string) => void
  onCompose: (composing: Composing) => void
}

export function MessageBubble(props: MessageBubbleProps) {
  const { message, chat, isFirstOfRun, isLastOfRun, isHighlighted, onCompose } = props
  const isOwn = message.sender_id === useUserId()
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  const showsSender = !isOwn && chat.type !== 'individual'

  const gestures = useMenuGestures((pressed) => {
    // A link keeps the browser's own menu, and so does selected text.
    if (message.is_deleted || pressed.closest('a') || getSelection()?.toString()) return false
    setIsMenuOpen(true)
    return true
  })

  return (
    <article className={classNames('group pb-0.5', isFirstOfRun && 'pt-1.5')}>
      <div className={classNames('flex gap-1', isOwn && 'flex-row-reverse')}>
        {showsSender && <SenderPicture id={message.sender_id} isShown={isLastOfRun} />}
        <div {...gestures} className={bubbleLook({ isOwn, isLastOfRun, isHighlighted })}>
          <SenderName id={isOwn ? null : message.sender_id} isShown={showsSender && isFirstOfRun} />
          <Content {...props} />
          <MessageFoot message={message} />
        </div>
        {!message.is_deleted && (
          <MessageMenu
            message={message}
            isOpen={isMenuOpen}
            onOpenChange={setIsMenuOpen}
            onCompose={onCompose}
            onDelete={() => setIsDeleting(true)}
          />
        )}
      </div>
      <ReactionRow message={message} isOwn={isOwn} />
      {isDeleting && <DeleteMessageDialog message={message} onClose={() => setIsDeleting(false)} />}
    </article>
  )
}

function Content({ message, chat, onJump }: MessageBubbleProps) {
  if (message.is_deleted) return <DeletedMessage reason={message.deleted_reason} />
  return (
    <>
      {message.reply_to && <QuotedMessage id={message.reply_to} chatId={chat.id} onJump={onJump} />}
      {message.attachment && <SentImage message={message} />}
      {message.message && <MessageText text={message.message} mentions={message.mentions} />}
    </>
  )
}

function SentImage({ message }: { message: Message }) {
  const senderName = useMemberName(message.sender_id)
  return (
    message.attachment && <AttachmentView attachment={message.attachment} senderName={senderName} />
  )
}

/** Next to the last message of a run; the others are aligned with it. */
function SenderPicture({ id, isShown }: { id: string; isShown: boolean }) {
  const name = useMemberName(id)
  return (
    <span className="mr-1 w-8 flex-none self-end">
      {isShown && <Avatar name={name} seed={id} size="xs" />}
    </span>
  )
}

/** Side and color show the author, but not to a screen reader. */
function SenderName({ id, isShown }: { id: string | null; isShown: boolean }) {
  const name = useMemberName(id)
  const look = isShown ? 'mb-0.5 min-h-4 text-caption font-semibold text-primary' : 'sr-only'
  return <p className={look}>{id ? name : m.chat_you()}</p>
}

function MessageFoot({ message }: { message: Message }) {
  return (
    <p className="mt-0.5 text-right text-tiny opacity-75">
      {message.edited_at && !message.is_deleted && <>{m.chat_edited()} · </>}
      <time dateTime={message.sent_at} title={formatFullTime(message.sent_at, formatLocale())}>
        {formatTimeOfDay(message.sent_at, formatLocale())}
      </time>
    </p>
  )
}

/** The placeholder of a deleted message. */
function DeletedMessage({ reason }: { reason: string | null }) {
  return (
    <p className="flex items-center gap-1.5 italic opacity-80">
      <Ban aria-hidden="true" className="size-4 flex-none" />
      {reason ? m.chat_deleted_by_admin({ reason }) : m.chat_deleted()}
    </p>
  )
}
