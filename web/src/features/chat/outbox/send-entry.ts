import { isSignedInAs } from '#data/session/session.ts'
import { database, storage } from '#data/supabase.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/server/notify-error.ts'
import type { SendResult } from './drain-outbox.ts'
import type { OutboxEntry, OutboxImage } from './outbox-entry.ts'

/** Some networks neither respond nor fail, and later messages queue behind this one. */
const RESPONSE_TIMEOUT_MS = 15_000
const UPLOAD_TIMEOUT_MS = 60_000
/** 40 KB/s; slower than that, a file goes no further than the server's own limit for uploads. */
const SLOWEST_BYTES_PER_MS = 40
/** Postgres: refused by a policy (insufficient_privilege). */
const NOT_ALLOWED = '42501'

type Sending = {
  responseMs?: number
  /** For an image, and at least for a file. */
  uploadMs?: number
  /** An upload that its author canceled ends at once, and its message is not sent. */
  canceled?: AbortSignal
}

type LoadMessage = (id: string, memberId: string) => Promise<Message | null>

/** Stores one message. Sending it again after a lost response finds the stored one. */
export async function sendEntry(
  entry: OutboxEntry,
  loadMessage: LoadMessage,
  { responseMs = RESPONSE_TIMEOUT_MS, uploadMs = UPLOAD_TIMEOUT_MS, canceled }: Sending = {},
): Promise<SendResult> {
  // Signed out meanwhile, or somebody else signed in: it waits for its author.
  if (!isSignedInAs(entry.memberId)) return { kind: 'unreachable' }
  try {
    if (entry.image)
      await withTimeout(upload(entry.image), timeFor(entry.image, uploadMs), canceled)
  } catch (error) {
    if (canceled?.aborted) return { kind: 'canceled' }
    return failure(
      error,
      isFile(entry.image) ? m.chat_error_uploading_file() : m.chat_error_uploading_image(),
    )
  }
  if (canceled?.aborted) return { kind: 'canceled' }
  try {
    return await withTimeout(store(entry, loadMessage), responseMs)
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
async function withTimeout<Result>(
  work: Promise<Result>,
  ms: number,
  canceled?: AbortSignal,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let cancel = () => {}
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError('timed out')), ms)
    cancel = () => reject(new TypeError('canceled'))
    canceled?.addEventListener('abort', cancel)
  })
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
    canceled?.removeEventListener('abort', cancel)
  }
}

const isFile = (image: OutboxImage | null) => image?.attachment.kind === 'file'

function timeFor({ attachment }: OutboxImage, uploadMs: number): number {
  if (attachment.kind !== 'file') return uploadMs
  return Math.max(uploadMs, attachment.size / SLOWEST_BYTES_PER_MS)
}

function rowOf(entry: OutboxEntry) {
  const extras = {
    ...(entry.replyTo && { reply_to: entry.replyTo }),
    ...(entry.forwardOf && { forwarded_from: entry.forwardOf }),
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

async function upload(image: OutboxImage): Promise<void> {
  const bucket = (await storage()).from('chat-images')
  const { path } = image.attachment
  const { error } =
    'copyOf' in image
      ? await bucket.copy(image.copyOf, path)
      : await bucket.upload(path, image.file, {
          contentType: image.file.type,
          cacheControl: '31536000',
        })
  // There already from an earlier attempt.
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
