import type { Context } from '#http/context.ts'
import { findBucket, findForEveryone, findForMember, findPublicObject } from './find-bucket.ts'
import { objectAddress } from './names.ts'
import type { ObjectRow } from './object-rows.ts'
import type { Action, Storage } from './service.ts'
import { serveObject } from './serve-object.ts'
import { verifySignature } from './signatures.ts'

/** An object of a public bucket, for anyone who has its address. */
export const downloadPublicObject: Action = async (storage, request, _context, rest) => {
  const { bucket, name } = objectAddress(rest)
  const find = () => findPublicObject(storage, bucket, name)
  return serveObject(storage, request, await find(), { isPublic: true, again: find })
}

/** An object as its reader: in a private bucket policies decide. */
export const downloadObject: Action = async (storage, request, context, rest) => {
  const find = () => findReadable(storage, context, rest, 'storage.object.get_authenticated')
  const { object, isPublic } = await find()
  const again = async () => (await find()).object
  return serveObject(storage, request, object, { isPublic, again })
}

/** An object whose address was signed for a while. */
export const downloadSignedObject: Action = async (storage, request, _context, rest) => {
  const { bucket, name } = objectAddress(rest)
  const { expiresAt } = await verifySignature(storage, request, 'download', `${bucket}/${name}`)
  const find = () => findForEveryone(storage, bucket, name)
  return serveObject(storage, request, await find(), { isPublic: false, expiresAt, again: find })
}

/** The facts of an object, without its bytes. */
export const objectInfo: Action = async (storage, _request, context, rest) => {
  const { object } = await findReadable(storage, context, rest, 'object.get_authenticated_info')
  return Response.json(infoOf(object))
}

/** The facts of an object in a public bucket. */
export const publicObjectInfo: Action = async (storage, _request, _context, rest) => {
  const { bucket, name } = objectAddress(rest)
  return Response.json(infoOf(await findPublicObject(storage, bucket, name)))
}

async function findReadable(storage: Storage, context: Context, rest: string, operation: string) {
  const address = objectAddress(rest)
  const { public: isPublic } = await findBucket(storage, address.bucket)
  const object = isPublic
    ? await findForEveryone(storage, address.bucket, address.name)
    : await findForMember(storage, context, operation, address)
  return { object, isPublic }
}

function infoOf({ metadata, user_metadata, updated_at, ...object }: ObjectRow) {
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
