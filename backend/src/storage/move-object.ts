import * as v from 'valibot'
import { storageErrors } from './errors.ts'
import { findBucket, type BucketRules } from './find-bucket.ts'
import { assertAllowedType } from './judge-content-type.ts'
import { assertBucketName, assertObjectName } from './names.ts'
import { findObject, renameObject, type ObjectRow } from './object-rows.ts'
import { parseBody } from './parse-body.ts'
import { workAs } from './run-as-member.ts'
import type { Action } from './service.ts'

export const transferSchema = v.object({
  bucketId: v.string(),
  sourceKey: v.string(),
  destinationKey: v.string(),
  destinationBucket: v.nullish(v.string()),
  sourceVersionId: v.nullish(v.never()),
})

/** From where to where an order goes, checked. */
export function transferOf(order: v.InferOutput<typeof transferSchema>) {
  const from = { bucket: order.bucketId, name: order.sourceKey }
  const to = { bucket: order.destinationBucket ?? order.bucketId, name: order.destinationKey }
  for (const { bucket, name } of [from, to]) {
    assertBucketName(bucket)
    assertObjectName(name)
  }
  return { from, to }
}

/** A bucket's limits hold for what comes from another bucket, too. */
export function assertFits(
  bucket: BucketRules,
  { metadata }: ObjectRow,
  mimetype = metadata.mimetype,
): void {
  assertAllowedType(mimetype, bucket.allowed_mime_types)
  if (metadata.size > Number(bucket.file_size_limit ?? Infinity)) throw storageErrors.tooLarge()
}

/** Gives an object another name or bucket. */
export const moveObject: Action = async (storage, request, { caller }) => {
  const { from, to } = transferOf(await parseBody(transferSchema, request))
  await findBucket(storage, from.bucket)
  const destination = await findBucket(storage, to.bucket)
  const id = await workAs(storage.database, caller, 'storage.object.move', async (query) => {
    const { rows } = await query(findObject(from.bucket, from.name))
    const source = rows[0] as ObjectRow | undefined
    if (!source) throw storageErrors.noSuchKey()
    if (to.bucket !== from.bucket) assertFits(destination, source)
    if (!(await renameObject(query, from, to))) throw storageErrors.accessDenied()
    return source.id
  })
  return Response.json({ message: 'Successfully moved', Id: id, Key: `${to.bucket}/${to.name}` })
}
