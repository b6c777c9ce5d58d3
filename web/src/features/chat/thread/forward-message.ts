import type { Message } from '#features/chat/model/chat-types.ts'
import { outboxOf } from '#features/chat/outbox/member-outbox.ts'
import type { OutboxEntry } from '#features/chat/outbox/outbox-entry.ts'
import { newId } from '#lib/new-id.ts'

/** Writes the message once for each chat; the outbox sends them, offline when the connection is back. */
export async function forwardMessage(
  { id: forwardOf, message: text, attachment }: Message,
  memberId: string,
  chatIds: readonly string[],
): Promise<void> {
  for (const chatId of chatIds) {
    const id = newId()
    const entry: OutboxEntry = {
      id,
      memberId,
      chatId,
      text,
      writtenAt: new Date().toISOString(),
      replyTo: null,
      forwardOf,
      mentions: [],
      image: attachment && copyOf(attachment, `${chatId}/${id}`),
      state: { step: 'waiting' },
    }
    await outboxOf(memberId).add(entry)
  }
}

function copyOf(attachment: NonNullable<Message['attachment']>, name: string) {
  const extension = attachment.path.split('.').at(-1)
  return { copyOf: attachment.path, attachment: { ...attachment, path: `${name}.${extension}` } }
}
