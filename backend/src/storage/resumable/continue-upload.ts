import type { Context } from '#http/context.ts'
import type { Storage } from '../context.ts'
import { storageErrors } from '../errors.ts'
import { findBucket } from '../find-bucket.ts'
import { removeOrphans } from '../orphaned-files.ts'
import { withUploadSlot } from '../upload-slots.ts'
import { findOwnUpload } from './find-own-upload.ts'
import { finishUpload } from './finish-upload.ts'
import { assertPartBody, byteCount, tusAction } from './protocol.ts'
import { receiveParts } from './receive-parts.ts'
import { deleteUpload, type ResumableUpload } from './upload-rows.ts'

const OPERATION = 'storage.tus.upload.part'

/** `HEAD` says how much has arrived. */
export const uploadProgress = tusAction(async (storage, request, context, rest) => {
  const { upload, caller } = await findOwnUpload(storage, request, context, rest, OPERATION)
  const { length, received, finished, metadata } = upload
  const as = { ...context, caller }
  // A client that reads that everything has arrived sends nothing more, so the object is made before the response.
  if (!finished && received === length)
    await withUploadSlot(storage, upload, () => finishInBucket(storage, as, upload))
  return new Response(null, {
    status: 200,
    headers: {
      'upload-offset': String(received),
      'upload-length': String(length),
      'upload-metadata': metadata,
      'upload-expires': upload.expiresAt.toUTCString(),
    },
  })
})

/** `PATCH`, or a `POST` that says so, sends bytes from an offset on. */
export const continueUpload = tusAction(async (storage, request, context, rest) => {
  if (
    request.method === 'POST' &&
    request.headers.get('x-http-method-override')?.toUpperCase() !== 'PATCH'
  )
    throw storageErrors.noSuchRoute()
  const { upload, caller } = await findOwnUpload(storage, request, context, rest, OPERATION)
  const offset = byteCount(request, 'upload-offset')
  if (offset !== upload.received) throw storageErrors.offsetConflict()
  assertPartBody(request, upload.length - upload.received)
  // Nothing is left to send when the response to the last part was lost.
  if (upload.finished) return partResponse(upload, upload.length)

  const as = { ...context, caller }
  const bucket = await findBucket(storage, upload.bucket)
  const received = await withUploadSlot(storage, upload, async () => {
    const next = await receiveParts(storage, request, context, upload, bucket)
    if (next === upload.length) await finishUpload(storage, as, upload, bucket, OPERATION)
    return next
  })
  return partResponse(upload, received)
})

/** `DELETE` ends an upload that is not wanted any more. */
export const terminateUpload = tusAction(async (storage, request, context, rest) => {
  const operation = 'storage.tus.upload.delete'
  const { upload } = await findOwnUpload(storage, request, context, rest, operation)
  if (!(await deleteUpload(storage, upload.id))) throw storageErrors.uploadFinished()
  await removeOrphans(storage)
  return new Response(null, { status: 204 })
})

async function finishInBucket(storage: Storage, context: Context, upload: ResumableUpload) {
  const bucket = await findBucket(storage, upload.bucket)
  await finishUpload(storage, context, upload, bucket, OPERATION)
}

function partResponse({ length, expiresAt }: ResumableUpload, received: number): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'upload-offset': String(received),
      'upload-expires': expiresAt.toUTCString(),
      ...(received === length ? { 'tus-complete': '1' } : {}),
    },
  })
}
