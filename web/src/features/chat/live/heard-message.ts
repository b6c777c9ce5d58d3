import * as v from 'valibot'
import type { Message } from '#features/chat/chat-types.ts'

const time = v.nullish(v.string(), null)

/** What the database broadcasts of a message; fields it leaves out have their empty value. */
const heardMessage = v.object({
  id: v.string(),
  chat_id: v.string(),
  sender_id: v.string(),
  message: v.string(),
  sent_at: v.string(),
  is_deleted: v.boolean(),
  changed_at: time,
  edited_at: time,
  deleted_reason: time,
  reply_to: time,
  mentions: v.optional(v.array(v.string()), []),
  attachment: v.nullish(
    v.object({ path: v.string(), width: v.number(), height: v.number() }),
    null,
  ),
  reaction_counts: v.optional(v.record(v.string(), v.number()), {}),
})

/** The message of a broadcast, or null when it is not one. */
export function parseHeardMessage(payload: unknown): Message | null {
  const parsed = v.safeParse(heardMessage, payload)
  if (!parsed.success) console.warn('A broadcast was not a message', parsed.issues)
  return parsed.success ? parsed.output : null
}
