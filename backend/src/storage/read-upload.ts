// The two ways storage-js sends a file: as the body itself with its facts in headers, or as the file part of a form.
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { ServiceError } from '#http/service-error.ts'
import { discardDraft, receiveDraft, type Draft, type DraftRoom } from './draft.ts'
import { storageErrors } from './errors.ts'
import { bodyChunks } from './request-body.ts'
import { cacheControlFrom, fromBase64, parseUserMetadata, refuseEncoding } from './upload-facts.ts'

export type Upload = {
  draft: Draft
  declaredType: string | null
  cacheControl: string
  userMetadata: Record<string, unknown>
}

const FIELD_BYTES = 64 * 1024
/** What a form may weigh beside its file. */
const FORM_BYTES = 256 * 1024

/** Receives the file of an upload request. The caller owns the draft. */
export async function readUpload(request: Request, room: DraftRoom): Promise<Upload> {
  const { headers } = request
  const isForm = /^multipart\/form-data\s*;/i.test(headers.get('content-type') ?? '')
  refuseEncoding(headers.get('content-encoding'))
  const announced = Number(headers.get('content-length') ?? 0)
  if (announced > room.limit + (isForm ? FORM_BYTES : 0)) throw storageErrors.tooLarge()
  if (isForm) return readForm(request, room)
  const userMetadata = parseUserMetadata(fromBase64(headers.get('x-metadata')))
  const draft = await receiveDraft(bodyChunks(request), room).catch((error: unknown) => {
    throw asUploadError(error)
  })
  return {
    draft,
    declaredType: headers.get('content-type'),
    cacheControl: cacheControlFrom(headers.get('cache-control')),
    userMetadata,
  }
}

async function readForm(request: Request, room: DraftRoom): Promise<Upload> {
  const fields = new Map<string, string>()
  let file: Readable | undefined
  let receiving: Promise<{ draft: Draft; declaredType: string }> | undefined
  const form = new Busboy({
    headers: { 'content-type': request.headers.get('content-type') } as BusboyHeaders,
    limits: { files: 1, fields: 20, parts: 40, fieldSize: FIELD_BYTES },
  })
  form.on('field', (name, value) => fields.set(name, value))
  form.on('file', (_name, stream, _fileName, _encoding, declaredType) => {
    file = stream
    // The parser only announces a form that ends early; whoever reads later would wait for ever.
    stream.on('error', (error: Error) => stream.destroy(error))
    receiving = receiveDraft(stream, room).then((draft) => ({ draft, declaredType }))
    // Refusing the file ends the form as well; otherwise the parser would wait for someone to read on.
    receiving.catch((error: Error) => form.destroy(error))
  })
  try {
    await pipeline(bodyChunks(request), form)
    if (!receiving) throw storageErrors.invalidRequest('No content provided')
    refuseEncoding(fields.get('contentEncoding') ?? null)
    return {
      ...(await receiving),
      cacheControl: cacheControlFrom(fields.get('cacheControl') ?? null),
      userMetadata: parseUserMetadata(fields.get('metadata') ?? null),
    }
  } catch (error) {
    file?.destroy(storageErrors.incompleteUpload())
    const received = await receiving?.catch(() => null)
    if (received) await discardDraft(received.draft)
    throw asUploadError(error)
  }
}

// A sender that goes away shows up as an error of the stream; that is the sender's fault, not ours.
function asUploadError(error: unknown): unknown {
  const isOurs = error instanceof ServiceError || (error as NodeJS.ErrnoException).syscall
  return isOurs ? error : storageErrors.incompleteUpload({ cause: error })
}
