import type { ChatSummary, Member, Message } from './chat-types.ts'

// Test builders: realistic objects in which only the named fields differ.

export function aChat(changes: Partial<ChatSummary> = {}): ChatSummary {
  return {
    chat_id: crypto.randomUUID(),
    name: null,
    type: 'group',
    title: 'Field Squad North',
    other_user_id: null,
    other_email: null,
    other_is_admin: false,
    member_count: 6,
    last_message_id: null,
    last_message: null,
    last_message_at: null,
    last_sender_id: null,
    last_sender_name: null,
    unread_count: 0,
    last_read_at: null,
    created_at: '2026-11-01T09:00:00.000Z',
    is_archived: false,
    is_hidden: false,
    muted_until: null,
    is_pinned: false,
    is_marked_unread: false,
    mentions_only: false,
    is_mentioned: false,
    draft: null,
    draft_at: null,
    ...changes,
  }
}

export function aMessage(changes: Partial<Message> = {}): Message {
  return {
    id: crypto.randomUUID(),
    chat_id: 'chat',
    sender_id: 'priya',
    message: 'I can ride along on Thursday',
    sent_at: '2026-11-20T09:00:00.000Z',
    changed_at: null,
    is_deleted: false,
    is_removed: false,
    edited_at: null,
    deleted_reason: null,
    reply_to: null,
    forwarded_from: null,
    mentions: [],
    attachment: null,
    reaction_counts: {},
    ...changes,
  }
}

export function aMember(changes: Partial<Member> = {}): Member {
  return {
    id: crypto.randomUUID(),
    first_name: 'Priya',
    last_name: 'Shah',
    email: 'priya.shah@example.com',
    ...changes,
  }
}
