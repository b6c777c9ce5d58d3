export type ChatType = 'mandatory' | 'individual' | 'group'

/** One line of the chat list, as `chat_list()` answers it. */
export type ChatSummary = {
  chat_id: string
  name: string | null
  type: ChatType
  title: string
  other_user_id: string | null
  member_count: number
  last_message_id: string | null
  last_message: string | null
  last_message_at: string | null
  last_sender_id: string | null
  last_sender_name: string | null
  unread_count: number
  last_read_at: string | null
  created_at: string
  is_archived: boolean
  muted_until: string | null
}

/** An image sent with a message; the file itself lies in the private bucket `chat-images`. */
export type Attachment = { path: string; width: number; height: number }

/** A stored message. `changed_at` is its last edit, deletion or reaction; null if there was none. */
export type Message = {
  id: string
  chat_id: string
  sender_id: string
  message: string
  sent_at: string
  is_deleted: boolean
  changed_at: string | null
  edited_at: string | null
  deleted_reason: string | null
  reply_to: string | null
  mentions: string[]
  attachment: Attachment | null
  reaction_counts: Record<string, number>
  /** Emojis of the reading member; a broadcast does not know them and leaves them out. */
  my_reactions?: string[]
}

export type Member = { id: string; first_name: string; last_name: string; email: string }
