import * as v from 'valibot'
import { boundedList } from '#http/bounded.ts'
import type { Action } from './context.ts'
import { storageErrors } from './errors.ts'
import { findBucket } from './find-bucket.ts'
import { LIMITS } from './limits.ts'
import { assertBucketName, objectAddress, splitAddress } from './names.ts'
import { deleteObjects } from './object-rows.ts'
import { removeOrphans } from './orphaned-files.ts'
import { parseBody } from './parse-body.ts'
import { transactionAs } from './run-as-member.ts'

const schema = v.object({
  prefixes: boundedList(v.string(), 1, LIMITS.pathsPerRequest),
})

/** Deletes the named objects that the member may delete, and returns them. */
export const removeObjects: Action = async (storage, request, { caller, holdBody }, rest) => {
  const { prefixes } = await parseBody(schema, request, { caller, holdBody })
  const { bucket } = splitAddress(rest)
  assertBucketName(bucket)
  await findBucket(storage, bucket)
  const removed = await transactionAs(
    storage.database,
    caller,
    'storage.object.delete_many',
    (query) => deleteObjects(query, bucket, prefixes),
  )
  await removeOrphans(storage)
  return Response.json(removed)
}

/** Deletes one object. */
export const removeObject: Action = async (storage, _request, { caller }, rest) => {
  const { bucket, name } = objectAddress(rest)
  await findBucket(storage, bucket)
  const removed = await transactionAs(storage.database, caller, 'storage.object.delete', (query) =>
    deleteObjects(query, bucket, [name]),
  )
  if (removed.length === 0) throw storageErrors.noSuchKey()
  await removeOrphans(storage)
  return Response.json({ message: 'Successfully deleted' })
}
