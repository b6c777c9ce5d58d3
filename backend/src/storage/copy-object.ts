import * as v from 'valibot'
import { storageErrors } from './errors.ts'
import { findBucket, findForMember } from './find-bucket.ts'
import { essence } from './judge-content-type.ts'
import { expectBytes, giveUpBytes, removeLeftovers } from './leftovers.ts'
import { assertFits, transferOf, transferSchema } from './move-object.ts'
import { saveObject, type NewObject, type ObjectRow } from './object-rows.ts'
import { parseBody } from './parse-body.ts'
import { tryAs, workAs } from './run-as-member.ts'
import type { Action } from './service.ts'
import { metadataOf } from './store-upload.ts'
import { cacheControlFrom } from './upload-facts.ts'

const schema = v.object({
  ...transferSchema.entries,
  copyMetadata: v.nullish(v.boolean()),
  metadata: v.nullish(
    v.object({ cacheControl: v.optional(v.string()), mimetype: v.optional(v.string()) }),
  ),
})
const OPERATION = 'storage.object.copy'

/** Makes a second object of the same bytes. */
export const copyObject: Action = async (storage, request, context) => {
  const order = await parseBody(schema, request)
  const { from, to } = transferOf(order)
  const { caller, randomId } = context
  await findBucket(storage, from.bucket)
  const destination = await findBucket(storage, to.bucket)
  const source = await findForMember(storage, context, OPERATION, from)
  assertFits(destination, source)
  const cacheControl = order.metadata?.cacheControl ?? source.metadata.cacheControl
  // The bytes have been judged; a copy may not be declared to be something else.
  const wantedType = order.metadata?.mimetype
  if (wantedType !== undefined && essence(wantedType) !== essence(source.metadata.mimetype))
    throw storageErrors.invalidMimeType(wantedType)

  const upsert = request.headers.get('x-upsert') === 'true'
  const version = randomId()
  const { size, mimetype } = source.metadata
  const copy: NewObject = {
    id: randomId(),
    bucket: to.bucket,
    name: to.name,
    version,
    ownerId: caller.claims.sub ?? null,
    metadata: metadataOf(storage, version, size, mimetype, cacheControlFrom(cacheControl)),
    userMetadata: order.copyMetadata === false ? {} : (source.user_metadata ?? {}),
  }
  await tryAs(storage.database, caller, OPERATION, saveObject(copy, upsert))
  await expectBytes(storage, version)
  try {
    if (!(await storage.store.copy(source.version, version))) throw storageErrors.noSuchKey()
    await workAs(storage.database, caller, OPERATION, (query) => query(saveObject(copy, upsert)))
  } catch (error) {
    await giveUpBytes(storage, version)
    throw error
  }
  if (upsert) await removeLeftovers(storage)
  return Response.json(replyOf(copy, source))
}

function replyOf(copy: NewObject, source: ObjectRow) {
  const { metadata, bucket, name, version, id } = copy
  return {
    Id: id,
    Key: `${bucket}/${name}`,
    name,
    bucket_id: bucket,
    version,
    metadata,
    user_metadata: copy.userMetadata,
    created_at: source.created_at,
  }
}
