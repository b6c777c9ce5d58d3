import type { Context } from '#http/context.ts'
import { LIMITS as HTTP_LIMITS } from '#http/limits.ts'
import { JsonTooComplex } from '#http/parse-json.ts'
import { parseStorableJson, UnstorableText } from '#http/storable-json.ts'
import { storageErrors } from './errors.ts'
import { LIMITS } from './limits.ts'

/**
 * Streams a request's body. If the reader stops early, the rest is drained: a client whose connection is closed while it is
 * still sending never sees the error response.
 * @throws RequestTimeout when the body is not complete within `LIMITS.uploadMs`, or arrives too slowly
 */
export async function* bodyChunks(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return
  const reader = request.body.getReader()
  let timer: NodeJS.Timeout | undefined
  let rateTimer: NodeJS.Timeout | undefined
  let received = 0
  let isWaiting = false
  const late = new Promise<never>((_, reject) => {
    const refuse = () => reject(storageErrors.uploadTooSlow())
    timer = setTimeout(refuse, LIMITS.uploadMs)
    rateTimer = setInterval(() => {
      // While the reader is busy with what has arrived, the client cannot send.
      if (isWaiting && received < LIMITS.uploadRateBytes) refuse()
      received = 0
    }, LIMITS.uploadRateMs)
  })
  // Avoids an unhandled rejection when it fires outside of the race.
  late.catch(() => undefined)
  try {
    for (;;) {
      isWaiting = true
      const next = await Promise.race([reader.read(), late])
      isWaiting = false
      if (next.done) return
      const chunk = next.value as Uint8Array
      received += chunk.byteLength
      yield chunk
    }
  } finally {
    clearTimeout(timer)
    clearInterval(rateTimer)
    void drain(reader)
  }
}

/** Drains a body that no action read, for the same reason. */
export function drainUnread(request: Request): void {
  if (request.body && !request.body.locked) void drain(request.body.getReader())
}

/** Reads a JSON body, not validated. @throws InvalidRequest, EntityTooLarge */
export async function readJson(
  request: Request,
  { caller, holdBody }: Pick<Context, 'caller' | 'holdBody'>,
): Promise<unknown> {
  const most = caller.role === 'anon' ? HTTP_LIMITS.anonymousBodyBytes : LIMITS.jsonBytes
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bodyChunks(request)) {
    size += chunk.byteLength
    if (size > most) throw storageErrors.tooLarge()
    holdBody(chunk.byteLength)
    chunks.push(chunk)
  }
  if (size === 0) return {}
  try {
    return parseStorableJson(Buffer.concat(chunks).toString('utf8'))
  } catch (cause) {
    if (cause instanceof UnstorableText || cause instanceof JsonTooComplex)
      throw storageErrors.invalidRequest(cause.message)
    throw storageErrors.invalidRequest('The body must be JSON', { cause })
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), LIMITS.drainMs)
  timer.unref()
  try {
    let size = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      size += value.byteLength
      if (size > LIMITS.fileBytes) return await reader.cancel()
    }
  } catch {
    // The client disconnected; nothing left to drain.
  } finally {
    clearTimeout(timer)
  }
}
