import type { ChatSummary } from '#features/chat/chat-types.ts'
import { useMemberName } from '#features/chat/use-member-name.ts'
import { m } from '#lib/messages/messages.js'
import { useUserId } from '#lib/supabase/session.ts'
import { classNames } from '#ui/class-names.ts'

/** The last message on one line, after its sender's name; bold while unread. */
export function LastMessage({ chat }: { chat: ChatSummary }) {
  const isUnread = chat.unread_count > 0
  const look = classNames('block truncate text-small', isUnread ? 'text-ink' : 'text-muted')
  if (!chat.last_message_id) return <span className={look}>{m.chat_no_messages_yet()}</span>
  return (
    <span className={look}>
      <Sender chat={chat} isStrong={isUnread} />
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
