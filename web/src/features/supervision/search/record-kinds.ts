import { m } from '#lib/messages/messages.js'

/** What a search can be narrowed down to: a kind of record, or all kinds that begin with the word. */
export const SEARCHED_KINDS: Record<string, () => string> = {
  message: m.archive_search_messages,
  'message.edited': m.archive_search_edited,
  'message.deleted': m.archive_search_deleted,
  'message.removed': m.archive_search_removed,
  reaction: m.archive_search_reactions,
  notice: m.archive_search_notices,
  chat: m.archive_search_chats,
  member: m.archive_search_members,
}

const NAMES: Record<string, () => string> = {
  'message.sent': m.archive_search_sent,
  'message.edited': m.archive_search_edited,
  'message.deleted': m.archive_search_deleted,
  'message.removed': m.archive_search_removed,
  'message.changed': m.archive_kind_message_changed,
  'message.erased': m.archive_kind_message_erased,
  'message.restored': m.archive_kind_message_restored,
  'message.file': m.archive_kind_message_file,
  'message.pinned': m.archive_kind_message_pinned,
  'message.unpinned': m.archive_kind_message_unpinned,
  'reaction.added': m.archive_kind_reaction_added,
  'reaction.changed': m.archive_kind_reaction_changed,
  'reaction.removed': m.archive_kind_reaction_removed,
  'notice.written': m.archive_kind_notice_written,
  'notice.changed': m.archive_kind_notice_changed,
  'notice.published': m.archive_kind_notice_published,
  'notice.delivered': m.archive_kind_notice_delivered,
  'notice.acknowledged': m.archive_kind_notice_acknowledged,
  'notice.withdrawn': m.archive_kind_notice_withdrawn,
  'notice.erased': m.archive_kind_notice_erased,
  'chat.created': m.archive_kind_chat_created,
  'chat.renamed': m.archive_kind_chat_renamed,
  'chat.changed': m.archive_kind_chat_changed,
  'chat.closed': m.archive_kind_chat_closed,
  'chat.reopened': m.archive_kind_chat_reopened,
  'chat.handed_over': m.archive_kind_chat_handed_over,
  'chat.joined': m.archive_kind_chat_joined,
  'chat.left': m.archive_kind_chat_left,
  'chat.erased': m.archive_kind_chat_erased,
  'member.joined': m.archive_kind_member_joined,
  'member.changed': m.archive_kind_member_changed,
  'member.left': m.archive_kind_member_left,
}

/** In words; what is newer than this app stays as the archive has it. */
export const kindName = (kind: string): string => NAMES[kind]?.() ?? kind
