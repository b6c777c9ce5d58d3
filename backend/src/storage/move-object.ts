import * as v from 'valibot'
import type { Action } from './context.ts'
import { storageErrors } from './errors.ts'
import { findBucket, type BucketRules } from './find-bucket.ts'
import { assertBucketName, assertObjectName } from './names.ts'
import { findObject, renameObject, type ObjectRow } from './object-rows.ts'
import { parseBody } from './parse-body.ts'
import { assertAllowedType } from './resolve-content-type.ts'
import { transactionAs } from './run-as-member.ts'

export const transferSchema = v.object({
  bucketId: v.string(),
  sourceKey: v.string(),
  destinationKey: v.string(),
  destinationBucket: v.nullish(v.string()),
})

/** Source and destination of a move or copy, validated. */
export function parseTransfer(body: v.InferOutput<typeof transferSchema>) {
  const from = { bucket: body.bucketId, name: body.sourceKey }
  const to = { bucket: body.destinationBucket ?? body.bucketId, name: body.destinationKey }
  for (const { bucket, name } of [from, to]) {
    assertBucketName(bucket)
    assertObjectName(name)
  }
  return { from, to }
}

/** Checks the destination bucket's rules for an object from another bucket. @throws InvalidMimeType, EntityTooLarge */
export function assertFits(
  bucket: BucketRules,
  { metadata }: ObjectRow,
  mimetype = metadata.mimetype,
): void {
  assertAllowedType(mimetype, bucket.allowed_mime_types)
  if (metadata.size > Number(bucket.file_size_limit ?? Infinity)) throw storageErrors.tooLarge()
}

/** Moves an object to another name or bucket. */
export const moveObject: Action = async (storage, request, { caller, holdBody }) => {
  const { from, to } = parseTransfer(await parseBody(transferSchema, request, { caller, holdBody }))
  await findBucket(storage, from.bucket)
  const destination = await findBucket(storage, to.bucket)
  const id = await transactionAs(storage.database, caller, 'storage.object.move', async (query) => {
    const { rows } = await query(findObject(from.bucket, from.name))
    const source = rows[0] as ObjectRow | undefined
    if (!source) throw storageErrors.noSuchKey()
    if (to.bucket !== from.bucket) assertFits(destination, source)
    if (!(await renameObject(query, from, to))) throw storageErrors.accessDenied()
    return source.id
  })
  return Response.json({ message: 'Successfully moved', Id: id, Key: `${to.bucket}/${to.name}` })
}
