import { findBucket } from './find-bucket.ts'
import { objectAddress } from './names.ts'
import { saveObject } from './object-rows.ts'
import { asStorageError, tryAs } from './run-as-member.ts'
import type { Action } from './service.ts'
import { sign, verifySignature } from './signatures.ts'
import { storeUpload } from './store-upload.ts'

/** As hosted: two hours. */
const LIFE_S = 2 * 60 * 60

/** An address that one object may be uploaded to without signing in; who signs must be able to upload it. */
export const signUpload: Action = async (storage, request, { caller, randomId }, rest) => {
  const { bucket, name } = objectAddress(rest)
  await findBucket(storage, bucket)
  const upsert = request.headers.get('x-upsert') === 'true'
  const owner = caller.claims.sub ?? null
  const probe = { id: randomId(), bucket, name, version: '1', ownerId: owner }
  await tryAs(
    storage.database,
    caller,
    'storage.object.sign_upload_url',
    saveObject({ ...probe, metadata: {}, userMetadata: {} }, upsert),
  )
  const url = `${bucket}/${name}`
  const token = await sign(storage, 'upload', { url, upsert, owner }, LIFE_S)
  return Response.json({ url: `/object/upload/sign/${url}?token=${token}`, token })
}

/** An upload to such an address, in the name of whoever signed it. */
export const uploadToSignedUrl: Action = async (storage, request, { randomId }, rest) => {
  const { bucket: bucketId, name } = objectAddress(rest)
  const claims = await verifySignature(storage, request, 'upload', `${bucketId}/${name}`)
  const service = storage.database.asService(
    'storage',
    'rights were checked when the address was signed',
  )
  await storeUpload(storage, request, {
    bucket: await findBucket(storage, bucketId),
    name,
    ownerId: claims.owner ?? null,
    upsert: claims.upsert ?? false,
    randomId,
    write: (work) =>
      service.transaction(work).catch((error: unknown) => {
        throw asStorageError(error)
      }),
  })
  return Response.json({ Key: `${bucketId}/${name}` })
}
