import { Ban, Pin } from 'lucide-react'
import { memo, useRef, useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import { useBlockedIds } from '#domain/blocked-people.ts'
import { ChatAttachment } from '#domain/chat-attachment.tsx'
import { openPerson } from '#domain/open-person.ts'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import { formatFullTime, formatTimeOfDay } from '#features/chat/model/chat-timestamp.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import type { Composing } from '#features/chat/model/composing.ts'
import { useMemberName } from '#features/chat/model/member-names.ts'
import { messageSummary } from '#features/chat/model/message-summary.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { classNames } from '#ui/class-names.ts'
import { Pressable } from '#ui/pressable.tsx'
import { TextButton } from '#ui/text-button.tsx'
import { useMenuGestures } from '#ui/use-menu-gestures.ts'
import { bubbleLook } from './bubble-look.ts'
import { ForwardedNote } from './forwarded-note.tsx'
import { MessageMenu } from './message-menu.tsx'
import type { AskedSheet } from './message-sheets.tsx'
import { MessageText } from './message-text.tsx'
import { isPinned } from './pins.ts'
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
  onAsk: (asked: AskedSheet) => void
}

/** Not drawn again with each message that arrives below it. */
export const MessageBubble = memo(function MessageBubble(props: MessageBubbleProps) {
  const { message, chat, isFirstOfRun, isLastOfRun, isHighlighted, onCompose, onAsk } = props
  const isOwn = message.sender_id === useUserId()
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const [isShown, setIsShown] = useState(false)
  const isFolded = useBlockedIds().includes(message.sender_id) && !isShown && !message.is_deleted
  const label = useLabel(message, isFolded)
  const showsSender = !isOwn && chat.type !== 'individual'

  const menuButton = useRef<HTMLButtonElement>(null)
  /** From the menu's button to where the message was pressed, in pixels. */
  const [pressedBelow, setPressedBelow] = useState(0)

  const gestures = useMenuGestures((pressed, y) => {
    // A link keeps the browser's own menu, and so does selected text.
    if (message.is_deleted || pressed.closest('a') || getSelection()?.toString()) return false
    const box = menuButton.current?.getBoundingClientRect()
    setPressedBelow(box ? y - (box.top + box.bottom) / 2 : 0)
    setIsMenuOpen(true)
    return true
  })

  function onMenuChange(isOpen: boolean) {
    setIsMenuOpen(isOpen)
    setPressedBelow(0)
  }

  return (
    <article aria-label={label} className={classNames('group pb-0.5', isFirstOfRun && 'pt-1.5')}>
      <div className={classNames('flex gap-1', isOwn && 'flex-row-reverse')}>
        {showsSender && <SenderPicture id={message.sender_id} isShown={isLastOfRun} />}
        <div {...gestures} className={bubbleLook({ isOwn, isLastOfRun, isHighlighted })}>
          <SenderName id={isOwn ? null : message.sender_id} isShown={showsSender && isFirstOfRun} />
          {isFolded ? <FoldedMessage onShow={() => setIsShown(true)} /> : <Content {...props} />}
          <MessageFoot message={message} isPinned={isPinned(chat, message.id)} />
        </div>
        {!message.is_deleted && (
          <MessageMenu
            message={message}
            label={label}
            chat={chat}
            isOpen={isMenuOpen}
            onOpenChange={onMenuChange}
            button={menuButton}
            pressedBelow={pressedBelow}
            onCompose={onCompose}
            onAsk={onAsk}
            isFolded={isFolded}
          />
        )}
      </div>
      <ReactionRow message={message} isOwn={isOwn} isIndented={showsSender} />
    </article>
  )
})

/** Characters; a screen reader reads the whole text below. */
const LONGEST_LABEL = 80

/** "Ana Lee, 3:05 PM: I can ride along", for screen readers. */
function useLabel(message: Message, isFolded: boolean): string {
  const isOwn = message.sender_id === useUserId()
  const name = useMemberName(isOwn ? null : message.sender_id)
  const text = isFolded ? m.safety_folded() : messageSummary(message)
  return m.chat_message_label({
    sender: isOwn ? m.chat_you() : name,
    time: formatTimeOfDay(message.sent_at, formatLocale()),
    text: message.is_deleted ? m.chat_deleted() : shortened(text),
  })
}

function shortened(text: string): string {
  return text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL).trimEnd()} …` : text
}

function Content({ message, chat, onJump }: MessageBubbleProps) {
  if (message.is_deleted) return <DeletedMessage message={message} />
  return (
    <>
      {message.forwarded_from && <ForwardedNote />}
      {message.reply_to && <QuotedMessage id={message.reply_to} chatId={chat.id} onJump={onJump} />}
      {message.attachment && <SentAttachment message={message} />}
      {message.message && <MessageText text={message.message} mentions={message.mentions} />}
    </>
  )
}

function SentAttachment({ message: { sender_id, attachment } }: { message: Message }) {
  const senderName = useMemberName(sender_id)
  return attachment && <ChatAttachment attachment={attachment} senderName={senderName} />
}

/** Next to the last message of a run; the others are aligned with it. */
function SenderPicture({ id, isShown }: { id: string; isShown: boolean }) {
  const name = useMemberName(id)
  return (
    <span className="mr-1 w-8 flex-none self-end">
      {isShown && (
        // Its name above is the control for keyboards and screen readers.
        <Pressable
          aria-hidden="true"
          tabIndex={-1}
          onClick={() => openPerson({ id, name })}
          className="-m-1.5 grid size-11 place-items-center rounded-full"
        >
          <Avatar name={name} seed={id} size="xs" />
        </Pressable>
      )}
    </span>
  )
}

/** Side and color show the author, but not to a screen reader. */
function SenderName({ id, isShown }: { id: string | null; isShown: boolean }) {
  const name = useMemberName(id)
  if (!isShown || !id) return <p className="sr-only">{id ? name : m.chat_you()}</p>
  return (
    <p className="mb-0.5 min-h-4 text-caption font-semibold text-primary">
      <Pressable
        onClick={() => openPerson({ id, name })}
        // The line keeps its height; the touch target is of full size.
        className="-my-3.5 inline-flex min-h-target min-w-target items-center py-3.5 text-left hover:underline"
      >
        {name}
      </Pressable>
    </p>
  )
}

function MessageFoot({ message, isPinned }: { message: Message; isPinned: boolean }) {
  return (
    <p className="mt-0.5 text-right text-caption opacity-75">
      {isPinned && (
        <>
          <Pin role="img" aria-label={m.chat_pinned()} className="inline size-3" />{' '}
        </>
      )}
      {message.edited_at && !message.is_deleted && <>{m.chat_edited()} · </>}
      <time dateTime={message.sent_at} title={formatFullTime(message.sent_at, formatLocale())}>
        {formatTimeOfDay(message.sent_at, formatLocale())}
      </time>
    </p>
  )
}

/** The placeholder of a deleted message; why it was removed is for its sender. */
function DeletedMessage({ message }: { message: Message }) {
  const isOwn = message.sender_id === useUserId()
  const { is_removed, deleted_reason: reason } = message
  return (
    <p className="flex items-center gap-1.5 italic opacity-80">
      <Ban aria-hidden="true" className="size-4 flex-none" />
      {!is_removed && m.chat_deleted()}
      {is_removed && (isOwn && reason ? m.chat_removed_because({ reason }) : m.chat_removed())}
    </p>
  )
}

/** In place of what somebody wrote whom the member blocked. */
function FoldedMessage({ onShow }: { onShow: () => void }) {
  return (
    <p className="italic">
      {m.safety_folded()} <TextButton onClick={onShow}>{m.safety_show()}</TextButton>
    </p>
  )
}
