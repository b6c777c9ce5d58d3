import type { Context } from '#http/context.ts'
import type { Action, Storage } from './context.ts'
import { findBucket, findInPublicBucket, findForMember, findPublicObject } from './find-bucket.ts'
import { objectAddress } from './names.ts'
import type { ObjectRow } from './object-rows.ts'
import { serveObject } from './serve-object.ts'
import { signerCaller, tokenIn, verifySignature } from './signatures.ts'

/** Serves an object of a public bucket to anyone. */
export const downloadPublicObject: Action = async (storage, request, _context, rest) => {
  const { bucket, name } = objectAddress(rest)
  const find = () => findPublicObject(storage, bucket, name)
  return serveObject(storage, request, await find(), { isPublic: true, reload: find })
}

/** Serves an object to the caller; in a private bucket policies decide. */
export const downloadObject: Action = async (storage, request, context, rest) => {
  const find = () => findReadable(storage, context, rest, 'storage.object.get_authenticated')
  const { object, isPublic } = await find()
  const reload = async () => (await find()).object
  return serveObject(storage, request, object, { isPublic, reload })
}

/** Serves an object at a signed URL, with the signer's current rights. */
export const downloadSignedObject: Action = async (storage, request, _context, rest) => {
  const { bucket, name } = objectAddress(rest)
  const signature = await verifySignature(
    storage,
    tokenIn(request),
    'download',
    `${bucket}/${name}`,
  )
  const caller = await signerCaller(storage, signature)
  const { expiresAt } = signature
  const find = () =>
    findForMember(storage, { caller }, 'storage.object.get_signed', { bucket, name })
  return serveObject(storage, request, await find(), { isPublic: false, expiresAt, reload: find })
}

/** Metadata of an object. */
export const objectInfo: Action = async (storage, _request, context, rest) => {
  const { object } = await findReadable(storage, context, rest, 'object.get_authenticated_info')
  return Response.json(objectInfoJson(object))
}

/** Metadata of an object in a public bucket. */
export const publicObjectInfo: Action = async (storage, _request, _context, rest) => {
  const { bucket, name } = objectAddress(rest)
  return Response.json(objectInfoJson(await findPublicObject(storage, bucket, name)))
}

async function findReadable(storage: Storage, context: Context, rest: string, operation: string) {
  const address = objectAddress(rest)
  const { public: isPublic } = await findBucket(storage, address.bucket)
  const object = isPublic
    ? await findInPublicBucket(storage, address.bucket, address.name)
    : await findForMember(storage, context, operation, address)
  return { object, isPublic }
}

function objectInfoJson({ metadata, user_metadata, updated_at, ...object }: ObjectRow) {
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    content_encoding: null,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: user_metadata ?? {},
    last_modified: updated_at,
    created_at: object.created_at,
  }
}
