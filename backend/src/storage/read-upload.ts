// The two ways storage-js sends a file: as the body with metadata in headers, or as the file part of a form.
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { ServiceError } from '#http/service-error.ts'
import { storageErrors } from './errors.ts'
import { LIMITS } from './limits.ts'
import { bodyChunks } from './request-body.ts'
import {
  discardStagedUpload,
  stageUpload,
  type StagedUpload,
  type StagingOptions,
} from './staged-upload.ts'
import {
  cacheControlFrom,
  fromBase64,
  parseUserMetadata,
  rejectEncoding,
} from './upload-metadata.ts'

export type Upload = {
  staged: StagedUpload
  declaredType: string | null
  cacheControl: string
  userMetadata: Record<string, unknown>
}

/** Receives the file of an upload request. The caller owns the staged file. */
export async function readUpload(request: Request, room: StagingOptions): Promise<Upload> {
  const { headers } = request
  const isForm = /^multipart\/form-data\s*;/i.test(headers.get('content-type') ?? '')
  rejectEncoding(headers.get('content-encoding'))
  const announced = Number(headers.get('content-length') ?? 0)
  if (announced > room.limit + (isForm ? LIMITS.formBytes : 0)) throw storageErrors.tooLarge()
  if (isForm) return readForm(request, room)
  const userMetadata = parseUserMetadata(fromBase64(headers.get('x-metadata')))
  const staged = await stageUpload(bodyChunks(request), room).catch((error: unknown) => {
    throw asUploadError(error)
  })
  return {
    staged,
    declaredType: headers.get('content-type'),
    cacheControl: cacheControlFrom(headers.get('cache-control')),
    userMetadata,
  }
}

async function readForm(request: Request, room: StagingOptions): Promise<Upload> {
  const fields = new Map<string, string>()
  let file: Readable | undefined
  let receiving: Promise<{ staged: StagedUpload; declaredType: string }> | undefined
  const form = new Busboy({
    headers: { 'content-type': request.headers.get('content-type') } as BusboyHeaders,
    limits: {
      files: 1,
      fields: LIMITS.formFields,
      parts: LIMITS.formParts,
      fieldSize: LIMITS.metadataBytes,
    },
  })
  const rejectForm = () => form.destroy(storageErrors.invalidRequest('The form is too large'))
  form.on('fieldsLimit', rejectForm)
  form.on('partsLimit', rejectForm)
  form.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) rejectForm()
    else fields.set(name, value)
  })
  form.on('file', (_name, stream, _fileName, _encoding, declaredType) => {
    file = stream
    // When the form ends early, the parser only emits an error; without this, later reads would never finish.
    stream.on('error', (error: Error) => stream.destroy(error))
    receiving = stageUpload(stream, room).then((staged) => ({ staged, declaredType }))
    // Also ends the form; otherwise the parser would wait for its stream to be read.
    receiving.catch((error: Error) => form.destroy(error))
  })
  try {
    await pipeline(bodyChunks(request), form)
    if (!receiving) throw storageErrors.invalidRequest('No content provided')
    rejectEncoding(fields.get('contentEncoding') ?? null)
    return {
      ...(await receiving),
      cacheControl: cacheControlFrom(fields.get('cacheControl') ?? null),
      userMetadata: parseUserMetadata(fields.get('metadata') ?? null),
    }
  } catch (error) {
    file?.destroy(storageErrors.incompleteUpload())
    const received = await receiving?.catch(() => null)
    if (received) await discardStagedUpload(received.staged)
    throw asUploadError(error)
  }
}

// A client that disconnects causes a stream error, which is not a server error.
function asUploadError(error: unknown): unknown {
  const isOurs = error instanceof ServiceError || (error as NodeJS.ErrnoException).syscall
  return isOurs ? error : storageErrors.incompleteUpload({ cause: error })
}
