import type { Message } from '#features/chat/chat-types.ts'

/** What the composer is for at the moment. */
export type Composing =
  { kind: 'new' } | { kind: 'reply'; to: Message } | { kind: 'edit'; message: Message }
