import type { Message } from '#features/chat/chat-types.ts'

/** What the composer is for at the moment. */
export type Composing =
  /** After another one the field goes on having the focus. */
  | { kind: 'new'; isNext?: boolean }
  | { kind: 'reply'; to: Message }
  | { kind: 'edit'; message: Message }
