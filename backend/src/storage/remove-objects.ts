import * as v from 'valibot'
import { storageErrors } from './errors.ts'
import { findBucket } from './find-bucket.ts'
import { removeLeftovers } from './leftovers.ts'
import { assertBucketName, objectAddress, splitAddress } from './names.ts'
import { deleteObjects } from './object-rows.ts'
import { parseBody } from './parse-body.ts'
import { workAs } from './run-as-member.ts'
import type { Action } from './service.ts'

const schema = v.object({
  prefixes: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(1000)),
})

/** Removes the named objects as far as the member may, and answers with those that went. */
export const removeObjects: Action = async (storage, request, { caller }, rest) => {
  const { prefixes } = await parseBody(schema, request)
  const { bucket } = splitAddress(rest)
  assertBucketName(bucket)
  await findBucket(storage, bucket)
  const removed = await workAs(storage.database, caller, 'storage.object.delete_many', (query) =>
    deleteObjects(query, bucket, prefixes),
  )
  await removeLeftovers(storage)
  return Response.json(removed)
}

/** Removes one object. */
export const removeObject: Action = async (storage, _request, { caller }, rest) => {
  const { bucket, name } = objectAddress(rest)
  await findBucket(storage, bucket)
  const removed = await workAs(storage.database, caller, 'storage.object.delete', (query) =>
    deleteObjects(query, bucket, [name]),
  )
  if (removed.length === 0) throw storageErrors.noSuchKey()
  await removeLeftovers(storage)
  return Response.json({ message: 'Successfully deleted' })
}
