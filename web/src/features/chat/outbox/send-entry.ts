import type { PostgrestError } from '@supabase/postgrest-js'
import { loadMessage } from '#features/chat/thread/message-queries.ts'
import { messageOf } from '#lib/notify-error.ts'
import { database, storage } from '#lib/supabase.ts'
import type { SendResult } from './drain-outbox.ts'
import type { OutboxEntry } from './outbox-entry.ts'

/** Stores one written message. Sending it again after a lost answer finds the stored one. */
export async function sendEntry(entry: OutboxEntry): Promise<SendResult> {
  try {
    if (entry.image) await uploadImage(entry)
    const { error, status } = await database.from('chat_messages').insert(rowOf(entry))
    if (error && isTemporary(status)) return { kind: 'unreachable' }
    // A refusal can come after an earlier try was stored, so what is there decides.
    const message = await loadMessage(entry.id, entry.memberId)
    return message ? { kind: 'stored', message } : refusal(error)
  } catch (error) {
    return isRefusal(error)
      ? { kind: 'refused', reason: messageOf(error) }
      : { kind: 'unreachable' }
  }
}

function rowOf(entry: OutboxEntry) {
  const extras = {
    ...(entry.replyTo && { reply_to: entry.replyTo }),
    ...(entry.mentions.length > 0 && { mentions: entry.mentions }),
    ...(entry.image && { attachment: entry.image.attachment }),
  }
  return {
    id: entry.id,
    chat_id: entry.chatId,
    sender_id: entry.memberId,
    message: entry.text,
    ...extras,
  }
}

/** No connection, no session yet, too much at once, or a server that is down: waiting helps. */
export function isTemporary(status: number): boolean {
  return status === 0 || status === 401 || status === 408 || status === 429 || status >= 500
}

function refusal(error: PostgrestError | null): SendResult {
  // Stored, and gone before it could be read: nothing to send again.
  return error ? { kind: 'refused', reason: error.message } : { kind: 'refused', reason: '' }
}

async function uploadImage({ image }: OutboxEntry): Promise<void> {
  if (!image) return
  const bucket = (await storage()).from('chat-images')
  const { error } = await bucket.upload(image.attachment.path, image.file, {
    contentType: image.file.type,
    cacheControl: '31536000',
  })
  // There already: an earlier try got this far.
  if (error && statusOf(error) !== 409 && !/exists|duplicate/i.test(error.message)) throw error
}

function isRefusal(error: unknown): boolean {
  const status = statusOf(error)
  return status !== null && !isTemporary(status)
}

function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null
  if ('statusCode' in error && error.statusCode !== undefined) return Number(error.statusCode)
  if ('status' in error && typeof error.status === 'number') return error.status
  return null
}
