import { useUserId } from '#data/session/session.ts'
import { useBlockedIds } from '#domain/blocked-people.ts'
import { useDraft } from '#features/chat/model/chat-drafts.ts'
import { isUnread, type ChatSummary } from '#features/chat/model/chat-types.ts'
import { useMemberName } from '#features/chat/model/member-names.ts'
import { m } from '#lib/messages/messages.js'
import { classNames } from '#ui/class-names.ts'

/** The last message on one line, after its sender's name; bold while unread. What is typed here and not sent comes first. */
export function LastMessage({ chat, isOpen }: { chat: ChatSummary; isOpen: boolean }) {
  const draft = useDraft(chat.chat_id)
  const isStrong = isUnread(chat)
  const isFolded = useBlockedIds().includes(chat.last_sender_id ?? '')
  const look = classNames('block truncate text-small', isStrong ? 'text-ink' : 'text-muted')
  if (draft && !isOpen) {
    return (
      <span className="block truncate text-small text-muted">
        <span className="font-semibold text-danger-text">{m.chat_draft()}</span> {draft}
      </span>
    )
  }
  if (!chat.last_message_id) return <span className={look}>{m.chat_no_messages_yet()}</span>
  if (isFolded) return <span className={look}>{m.safety_folded()}</span>
  return (
    <span className={look}>
      <Sender chat={chat} isStrong={isStrong} />
      {chat.last_message || m.chat_message_is_image()}
    </span>
  )
}

function Sender({ chat, isStrong }: { chat: ChatSummary; isStrong: boolean }) {
  const isOwn = chat.last_sender_id === useUserId()
  const lookedUp = useMemberName(chat.last_sender_name || isOwn ? null : chat.last_sender_id)
  const name = chat.last_sender_name ?? lookedUp
  return (
    <span className={isStrong ? 'font-semibold' : ''}>
      {isOwn
        ? m.chat_last_message_own()
        : m.chat_last_message_of({ name: name.split(' ')[0] ?? '' })}{' '}
    </span>
  )
}
