import type { Message } from '#features/chat/chat-types.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { isSignedInAs } from '#lib/supabase/session.ts'
import { database, storage } from '#lib/supabase/supabase.ts'
import type { SendResult } from './drain-outbox.ts'
import type { OutboxEntry, OutboxImage } from './outbox-entry.ts'

/** Some networks neither respond nor fail, and later messages queue behind this one. */
const RESPONSE_TIMEOUT_MS = 15_000
const UPLOAD_TIMEOUT_MS = 60_000
/** Postgres: refused by a policy (insufficient_privilege). */
const NOT_ALLOWED = '42501'

type LoadMessage = (id: string, memberId: string) => Promise<Message | null>

/** Stores one message. Sending it again after a lost response finds the stored one. */
export async function sendEntry(
  entry: OutboxEntry,
  loadMessage: LoadMessage,
  timeouts = { responseMs: RESPONSE_TIMEOUT_MS, uploadMs: UPLOAD_TIMEOUT_MS },
): Promise<SendResult> {
  // Signed out meanwhile, or somebody else signed in: it waits for its author.
  if (!isSignedInAs(entry.memberId)) return { kind: 'unreachable' }
  try {
    if (entry.image) await withTimeout(uploadImage(entry.image), timeouts.uploadMs)
  } catch (error) {
    return failure(error, m.chat_error_uploading_image())
  }
  try {
    return await withTimeout(store(entry, loadMessage), timeouts.responseMs)
  } catch (error) {
    return failure(error, m.chat_error_sending())
  }
}

async function store(entry: OutboxEntry, loadMessage: LoadMessage): Promise<SendResult> {
  const { error, status } = await database.from('chat_messages').insert(rowOf(entry))
  if (error && isTemporary(status)) return { kind: 'unreachable' }
  // A refusal can come after an earlier attempt was stored, so check what is there.
  const message = await loadMessage(entry.id, entry.memberId)
  return message ? { kind: 'stored', message } : refusal(error, m.chat_error_sending())
}

/** Without a response in time it is retried; a late success is found by the message's id. */
async function withTimeout<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError('timed out')), ms)
  })
  try {
    return await Promise.race([work, timeout])
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

/** No connection, no session yet, rate limited, or a server that is down: retrying helps. */
export function isTemporary(status: number): boolean {
  return status === 0 || status === 401 || status === 408 || status === 429 || status >= 500
}

function failure(error: unknown, what: string): SendResult {
  return isRefusal(error) ? refusal(error, what) : { kind: 'unreachable' }
}

/** `error` is null for a message that was stored and deleted before it could be read. */
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
  // Uploaded already by an earlier attempt.
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
