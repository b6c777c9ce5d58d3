import type { Attachment, ChatSummary } from './chat-types.ts'
import { compareTimes } from './message-window.ts'

const UNREAD_CAP = 100

export type BroadcastMessage = {
  id: string
  chat_id: string
  sender_id: string
  message: string
  attachment?: Attachment | null
  sent_at: string
}

/**
 * The list after a message was broadcast on a large chat's own topic, without a request: a hundred
 * subscribers must not all refetch at once.
 */
export function withLiveMessage(
  chats: ChatSummary[],
  message: BroadcastMessage,
  memberId: string,
): ChatSummary[] {
  return chats.map((chat) => {
    if (chat.chat_id !== message.chat_id || !isNews(chat, message)) return chat
    const isUnread = message.sender_id !== memberId
    return {
      ...chat,
      last_message_id: message.id,
      // As the server's list has it: of a file, the name.
      last_message:
        message.message || (message.attachment?.kind === 'file' ? message.attachment.name : ''),
      last_message_at: message.sent_at,
      last_sender_id: message.sender_id,
      // Unknown here; the card looks the name up.
      last_sender_name: null,
      unread_count: Math.min(chat.unread_count + (isUnread ? 1 : 0), UNREAD_CAP),
      is_archived: false,
    }
  })
}

function isNews(chat: ChatSummary, message: BroadcastMessage): boolean {
  if (chat.last_message_id === message.id) return false
  return !chat.last_message_at || compareTimes(message.sent_at, chat.last_message_at) > 0
}

/** The list while the member's own mark is being sent to the server. */
export function withChatMarked(
  chats: ChatSummary[],
  chatId: string,
  isUnread: boolean,
): ChatSummary[] {
  if (!isUnread) return withChatRead(chats, chatId)
  return chats.map((chat) => (chat.chat_id === chatId ? { ...chat, is_marked_unread: true } : chat))
}

/** The list while the read mark is being sent to the server. */
export function withChatRead(chats: ChatSummary[], chatId: string): ChatSummary[] {
  return chats.map((chat) =>
    chat.chat_id === chatId
      ? { ...chat, unread_count: 0, is_marked_unread: false, is_mentioned: false }
      : chat,
  )
}
