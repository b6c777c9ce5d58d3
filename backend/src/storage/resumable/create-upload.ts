import type { Caller } from '#http/caller.ts'
import type { Context } from '#http/context.ts'
import { shareOf } from '#postgres/caller-share.ts'
import { tusAction, assertPartBody, byteCount, hasBody } from './protocol.ts'
import type { Storage } from '../context.ts'
import { storageErrors } from '../errors.ts'
import { findBucket } from '../find-bucket.ts'
import { LIMITS } from '../limits.ts'
import { assertAllowedType, isDeclared } from '../resolve-content-type.ts'
import { consumeSignature, releaseSignature, signerCaller, type Signature } from '../signatures.ts'
import { sizeLimitOf } from '../store-upload.ts'
import { withUploadSlot } from '../upload-slots.ts'
import { assertMayUpload, signatureOf } from './find-own-upload.ts'
import { finishUpload } from './finish-upload.ts'
import { parseUploadMetadata, type UploadMetadata } from './parse-metadata.ts'
import { receiveParts } from './receive-parts.ts'
import { insertUpload, type NewUpload } from './upload-rows.ts'

const OPERATION = 'storage.tus.upload.create'

/** `POST` begins an upload, and may bring its first bytes. `rest` is `sign` for one with a signed address. */
export const createUpload = tusAction(async (storage, request, context, rest) => {
  const { headers } = request
  if (headers.has('upload-defer-length'))
    throw storageErrors.notSupported('An upload of unknown length')
  if (headers.has('upload-concat')) throw storageErrors.notSupported('Upload-Concat')
  const length = byteCount(request, 'upload-length')
  if (hasBody(request)) assertPartBody(request, length)
  const metadata = parseUploadMetadata(headers.get('upload-metadata') ?? '')
  const bucket = await findBucket(storage, metadata.bucket)
  if (length > sizeLimitOf(bucket)) throw storageErrors.tooLarge()
  if (isDeclared(metadata.declaredType))
    assertAllowedType(metadata.declaredType, bucket.allowed_mime_types)

  const signature = rest === 'sign' ? await signatureOf(storage, request, metadata) : null
  const caller = signature ? await signerCaller(storage, signature) : context.caller
  const as = { ...context, caller }
  const upload = newUpload(storage, as, metadata, {
    length,
    signatureId: signature?.id ?? null,
    upsert: signature ? signature.upsert : headers.get('x-upsert') === 'true',
  })
  await assertMayUpload(storage, as, upload, OPERATION)
  const offset = await withUploadSlot(storage, upload, async () => {
    await insertSigned(storage, upload, signature)
    const begun = { ...upload, received: 0, parts: 0, finished: false }
    const received = hasBody(request)
      ? await receiveParts(storage, request, context, begun, bucket)
      : 0
    if (received === length) await finishUpload(storage, as, begun, bucket, OPERATION)
    return received
  })
  return new Response(null, {
    status: 201,
    headers: {
      // Relative to the address that the client knows the server by.
      location: `/storage/v1/upload/resumable/${rest ? `${rest}/` : ''}${upload.id}`,
      'upload-expires': upload.expiresAt.toUTCString(),
      ...(hasBody(request) ? { 'upload-offset': String(offset) } : {}),
    },
  })
})

function newUpload(
  { clock }: Storage,
  { caller, clientAddress, randomId }: { caller: Caller } & Context,
  metadata: UploadMetadata,
  rest: Pick<NewUpload, 'length' | 'signatureId' | 'upsert'>,
): NewUpload {
  const { text, ...fields } = metadata
  return {
    ...fields,
    ...rest,
    metadata: text,
    id: randomId(),
    ownerId: caller.claims.sub ?? null,
    role: caller.role,
    uploader: shareOf(caller, clientAddress),
    expiresAt: new Date(clock.now() + LIMITS.resumableUploadMs),
  }
}

/** A signed address begins one upload. */
async function insertSigned(storage: Storage, upload: NewUpload, signature: Signature | null) {
  if (signature) await consumeSignature(storage, signature)
  try {
    await insertUpload(storage, upload)
  } catch (error) {
    if (signature) await releaseSignature(storage, signature)
    throw error
  }
}
