import * as v from 'valibot'
import type { Message } from './chat-types.ts'

const time = v.nullish(v.string(), null)

const image = v.object({ path: v.string(), width: v.number(), height: v.number() })
const file = v.object({
  kind: v.literal('file'),
  path: v.string(),
  name: v.string(),
  size: v.number(),
  type: v.string(),
})

/** The payload of a message broadcast; omitted fields have their empty value. */
const broadcastMessage = v.object({
  id: v.string(),
  chat_id: v.string(),
  sender_id: v.string(),
  message: v.string(),
  sent_at: v.string(),
  is_deleted: v.boolean(),
  is_removed: v.optional(v.boolean(), false),
  changed_at: time,
  edited_at: time,
  reply_to: time,
  forwarded_from: time,
  mentions: v.optional(v.array(v.string()), []),
  attachment: v.nullish(v.union([file, image]), null),
  reaction_counts: v.optional(v.record(v.string(), v.number()), {}),
})

/** The message of a broadcast, or null if it isn't one. */
export function parseBroadcastMessage(payload: unknown): Message | null {
  const parsed = v.safeParse(broadcastMessage, payload)
  if (!parsed.success) console.warn('Ignored a broadcast that is not a message', parsed.issues)
  // Why an admin removed it is not broadcast: its row tells the sender.
  return parsed.success ? { ...parsed.output, deleted_reason: null } : null
}
