import type { Caller } from '#http/caller.ts'
import { shareOf } from '#postgres/caller-share.ts'
import type { Action, Storage } from './context.ts'
import { findBucket } from './find-bucket.ts'
import { objectAddress } from './names.ts'
import { saveObject } from './object-rows.ts'
import { dryRunAs, transactionAs } from './run-as-member.ts'
import { storeUpload } from './store-upload.ts'
import { withUploadSlot } from './upload-slots.ts'

/** `POST` creates an object, or replaces it with `x-upsert: true`; `PUT` replaces it. */
export const uploadObject: Action = async (storage, request, context, rest) => {
  const address = objectAddress(rest)
  const isUpdate = request.method === 'PUT'
  const { id } = await uploadAs(storage, request, {
    ...context,
    address,
    upsert: isUpdate || request.headers.get('x-upsert') === 'true',
    operation: isUpdate ? 'storage.object.upload_update' : 'storage.object.upload',
  })
  return Response.json({ Id: id, Key: `${address.bucket}/${address.name}` })
}

export type MemberUpload = {
  caller: Caller
  clientAddress: string
  address: { bucket: string; name: string }
  upsert: boolean
  operation: string
  randomId(): string
}

/** Receives and stores an upload as the caller, with rights checked before and after receiving it. */
export async function uploadAs(
  storage: Storage,
  request: Request,
  { caller, clientAddress, address, upsert, operation, randomId }: MemberUpload,
): Promise<{ id: string }> {
  const { name } = address
  const ownerId = caller.claims.sub ?? null
  const bucket = await findBucket(storage, address.bucket)
  // Checked before reading the body, so that rejected uploads cannot fill the disk.
  const probe = { id: randomId(), bucket: bucket.id, name, version: '1', ownerId }
  await dryRunAs(
    storage.database,
    caller,
    operation,
    saveObject({ ...probe, metadata: declaredMetadata(request), userMetadata: {} }, upsert),
  )
  const uploader = shareOf(caller, clientAddress)
  return withUploadSlot(storage, { role: caller.role, uploader }, () =>
    storeUpload(storage, request, {
      bucket,
      name,
      ownerId,
      upsert,
      randomId,
      write: (work) => transactionAs(storage.database, caller, operation, work),
    }),
  )
}

function declaredMetadata(request: Request) {
  const length = Number(request.headers.get('content-length') ?? 0)
  return {
    mimetype: request.headers.get('content-type') ?? '',
    size: length,
    contentLength: length,
  }
}
