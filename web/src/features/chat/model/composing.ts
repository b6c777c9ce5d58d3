import type { Message } from './chat-types.ts'

/** What the composer is currently for. */
export type Composing =
  /** Follows another one, so the field keeps focus. */
  | { kind: 'new'; isNext?: boolean }
  | { kind: 'reply'; to: Message }
  | { kind: 'edit'; message: Message }

/** Same as the database's "Message is at most 4000 characters". */
export const MESSAGE_LIMIT = 4000

/** A longer text is a document, not a conversation. */
export const MOST_PARTS = 10
