import { findBucket } from './find-bucket.ts'
import { objectAddress } from './names.ts'
import { saveObject } from './object-rows.ts'
import { tryAs, workAs } from './run-as-member.ts'
import type { Action } from './service.ts'
import { storeUpload } from './store-upload.ts'

/** `POST` adds (or, with `x-upsert: true`, replaces) and `PUT` replaces an object. */
export const uploadObject: Action = async (storage, request, { caller, randomId }, rest) => {
  const { bucket: bucketId, name } = objectAddress(rest)
  const isUpdate = request.method === 'PUT'
  const upsert = isUpdate || request.headers.get('x-upsert') === 'true'
  const operation = isUpdate ? 'storage.object.upload_update' : 'storage.object.upload'
  const ownerId = caller.claims.sub ?? null
  const bucket = await findBucket(storage, bucketId)
  // Asked before the first byte is read, so nobody fills the disk with what will be refused.
  const probe = { id: randomId(), bucket: bucketId, name, version: '1', ownerId }
  await tryAs(
    storage.database,
    caller,
    operation,
    saveObject({ ...probe, metadata: announcedFacts(request), userMetadata: {} }, upsert),
  )
  const { id } = await storeUpload(storage, request, {
    bucket,
    name,
    ownerId,
    upsert,
    randomId,
    write: (work) => workAs(storage.database, caller, operation, work),
  })
  return Response.json({ Id: id, Key: `${bucketId}/${name}` })
}

function announcedFacts(request: Request) {
  const length = Number(request.headers.get('content-length') ?? 0)
  return {
    mimetype: request.headers.get('content-type') ?? '',
    size: length,
    contentLength: length,
  }
}
