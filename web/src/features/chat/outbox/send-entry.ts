import { loadMessage } from '#features/chat/thread/message-queries.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/notify-error.ts'
import { isSignedInAs } from '#lib/session.ts'
import { database, storage } from '#lib/supabase.ts'
import type { SendResult } from './drain-outbox.ts'
import type { OutboxEntry, OutboxImage } from './outbox-entry.ts'

/** Some networks neither answer nor fail, and all that is written later waits behind this message. */
const ANSWER_WITHIN_MS = 15_000
const UPLOAD_WITHIN_MS = 60_000
/** Postgres: the policies refuse it (insufficient_privilege). */
const NOT_ALLOWED = '42501'

/** Stores one written message. Sending it again after a lost answer finds the stored one. */
export async function sendEntry(
  entry: OutboxEntry,
  within = { answerMs: ANSWER_WITHIN_MS, uploadMs: UPLOAD_WITHIN_MS },
): Promise<SendResult> {
  // Signed out meanwhile, or somebody else signed in: it waits for its writer.
  if (!isSignedInAs(entry.memberId)) return { kind: 'unreachable' }
  try {
    if (entry.image) await inTime(uploadImage(entry.image), within.uploadMs)
  } catch (error) {
    return failure(error, m.chat_error_uploading_image())
  }
  try {
    return await inTime(store(entry), within.answerMs)
  } catch (error) {
    return failure(error, m.chat_error_sending())
  }
}

async function store(entry: OutboxEntry): Promise<SendResult> {
  const { error, status } = await database.from('chat_messages').insert(rowOf(entry))
  if (error && isTemporary(status)) return { kind: 'unreachable' }
  // A refusal can come after an earlier try was stored, so what is there decides.
  const message = await loadMessage(entry.id, entry.memberId)
  return message ? { kind: 'stored', message } : refusal(error, m.chat_error_sending())
}

/** Without an answer in time it is tried again; a late success is found by the message's id. */
async function inTime<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError('no answer in time')), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
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

function failure(error: unknown, what: string): SendResult {
  return isRefusal(error) ? refusal(error, what) : { kind: 'unreachable' }
}

/** `error` is null for what was stored and gone before it could be read. */
function refusal(error: unknown, what: string): SendResult {
  const code = typeof error === 'object' && error !== null && 'code' in error && error.code
  if (code === NOT_ALLOWED) return { kind: 'refused', reason: m.chat_no_send_permission_alert() }
  return { kind: 'refused', reason: error ? `${what}: ${messageOf(error)}` : what }
}

async function uploadImage(image: OutboxImage): Promise<void> {
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
