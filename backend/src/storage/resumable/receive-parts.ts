import { ServiceError } from '#http/service-error.ts'
import type { Context } from '#http/context.ts'
import type { Storage } from '../context.ts'
import { storageErrors } from '../errors.ts'
import type { BucketRules } from '../find-bucket.ts'
import { LIMITS } from '../limits.ts'
import { discardFile, registerFile } from '../orphaned-files.ts'
import { bodyChunks } from '../request-body.ts'
import { assertAllowedType, resolveContentType } from '../resolve-content-type.ts'
import { SNIFFED_BYTES } from '../sniff-content-type.ts'
import { discardStagedUpload, stageUpload, type StagedUpload } from '../staged-upload.ts'
import { addPart, beginWriting, dropIfHopeless, type ResumableUpload } from './upload-rows.ts'

/**
 * Receives bytes from `received` on, and records each part once it is durable. When the connection breaks, what has arrived
 * is kept.
 * @returns the new offset
 * @throws OffsetConflict when another request was first
 */
export async function receiveParts(
  storage: Storage,
  request: Request,
  { randomId }: Pick<Context, 'randomId'>,
  upload: ResumableUpload,
  bucket: BucketRules,
): Promise<number> {
  const writer = randomId()
  if (!(await beginWriting(storage, upload.id, upload.received, writer)))
    throw storageErrors.offsetConflict()
  const incoming = createIncoming(bodyChunks(request), upload.length - upload.received)
  let offset = upload.received
  let { parts } = upload
  const lifeMs = upload.expiresAt.getTime() - storage.clock.now() + MARGIN_MS
  try {
    while (!incoming.ended()) {
      const version = randomId()
      const staged = await stageUpload(incoming.nextPart(), {
        directory: storage.stagingDirectory,
        id: version,
        limit: LIMITS.partBytes,
      })
      const isCut = incoming.failure() !== null
      try {
        if (staged.size === 0 || (isCut && staged.size < LIMITS.cutPartBytes)) continue
        if (++parts > LIMITS.partsPerUpload) throw storageErrors.tooManyParts()
        assertTypeSoFar(upload, bucket, offset, staged)
        await registerFile(storage, version, lifeMs)
        await storage.store.put(staged, version)
        const part = { startAt: offset, size: staged.size, version }
        if (!(await addPart(storage, upload.id, part, { writer, isCut }))) {
          await discardFile(storage, version)
          throw incoming.failure() ?? storageErrors.offsetConflict()
        }
        offset += staged.size
      } finally {
        await discardStagedUpload(staged)
      }
    }
  } catch (error) {
    await dropIfHopeless(storage, upload.id, error)
    throw error
  } finally {
    await incoming.close()
  }
  const failure = incoming.failure()
  if (failure) throw failure
  return offset
}

/** How much longer than the upload its files stay, for a request that began just before. */
const MARGIN_MS = 60 * 60 * 1000

// Bytes that the bucket does not take are refused with the first part; the whole file is looked at in the end.
function assertTypeSoFar(
  upload: ResumableUpload,
  bucket: BucketRules,
  offset: number,
  { head, size }: StagedUpload,
): void {
  if (offset > 0 || (size < SNIFFED_BYTES && size < upload.length)) return
  assertAllowedType(resolveContentType(upload.declaredType, head), bucket.allowed_mime_types)
}

/** Divides a body into parts. An error of the body ends the part that is being received, and is kept. */
function createIncoming(source: AsyncIterable<Uint8Array>, room: number) {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Uint8Array | null = null
  let left = room
  let failure: Error | null = null
  let isAtEnd = false

  async function nextChunk(): Promise<Uint8Array | null> {
    try {
      const next = await chunks.next()
      if (!next.done) {
        left -= next.value.byteLength
        if (left >= 0) return next.value
        failure = storageErrors.tooLarge()
      }
    } catch (error) {
      failure =
        error instanceof ServiceError ? error : storageErrors.incompleteUpload({ cause: error })
    }
    isAtEnd = true
    return null
  }

  return {
    ended: () => isAtEnd && rest === null,
    failure: () => failure,
    close: async () => void (await chunks.return?.()),
    async *nextPart(): AsyncGenerator<Uint8Array> {
      let free: number = LIMITS.partBytes
      while (free > 0) {
        const chunk: Uint8Array | null = rest ?? (isAtEnd ? null : await nextChunk())
        rest = null
        if (!chunk) return
        const taken = chunk.subarray(0, free)
        if (taken.byteLength < chunk.byteLength) rest = chunk.subarray(taken.byteLength)
        free -= taken.byteLength
        yield taken
      }
    },
  }
}
