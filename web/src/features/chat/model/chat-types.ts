import type { ResultRow, Row } from '#data/database.ts'

export type ChatType = Row<'chats'>['type']

/** Same as the database's "Group name must have 1 to 50 characters". */
export const GROUP_NAME_LIMIT = 50

/** One row of `chat_list()`. */
export type ChatSummary = ResultRow<'chat_list'>

/** Something in it is unread, or the member marked it as such. */
export function isUnread({ unread_count, is_marked_unread }: ChatSummary): boolean {
  // Copies of older versions of the app have no such mark.
  return unread_count > 0 || Boolean(is_marked_unread)
}

/** An image or a file sent with a message; its bytes are in the private bucket `chat-images`. */
export type Attachment = NonNullable<Row<'chat_messages'>['attachment']>

/** A stored message. `changed_at` is its last edit, deletion or reaction; null if there was none. */
export type Message = ResultRow<'chat_changes'> & {
  /** The reading member's own emojis; broadcasts leave them out. */
  my_reactions?: string[]
}

export type Member = Pick<Row<'users'>, 'id' | 'first_name' | 'last_name' | 'email'>
