import * as v from 'valibot'
import type { Action } from './context.ts'
import { storageErrors } from './errors.ts'
import { findBucket, findForMember } from './find-bucket.ts'
import { assertFits, parseTransfer, transferSchema } from './move-object.ts'
import { saveObject, type NewObject, type ObjectRow } from './object-rows.ts'
import { registerFile, discardFile, removeOrphans } from './orphaned-files.ts'
import { parseBody } from './parse-body.ts'
import { essence } from './resolve-content-type.ts'
import { dryRunAs, transactionAs } from './run-as-member.ts'
import { metadataOf } from './store-upload.ts'
import { cacheControlFrom } from './upload-metadata.ts'

const schema = v.object({
  ...transferSchema.entries,
  copyMetadata: v.nullish(v.boolean()),
  metadata: v.nullish(
    v.object({ cacheControl: v.optional(v.string()), mimetype: v.optional(v.string()) }),
  ),
})
const OPERATION = 'storage.object.copy'

/** Copies an object. */
export const copyObject: Action = async (storage, request, context) => {
  const body = await parseBody(schema, request, context)
  const { from, to } = parseTransfer(body)
  const { caller, randomId } = context
  await findBucket(storage, from.bucket)
  const destination = await findBucket(storage, to.bucket)
  const source = await findForMember(storage, context, OPERATION, from)
  assertFits(destination, source)
  const cacheControl = body.metadata?.cacheControl ?? source.metadata.cacheControl
  // The type was resolved from the bytes; a copy may not claim another.
  const wantedType = body.metadata?.mimetype
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
    userMetadata: body.copyMetadata === false ? {} : (source.user_metadata ?? {}),
  }
  await dryRunAs(storage.database, caller, OPERATION, saveObject(copy, upsert))
  await registerFile(storage, version)
  try {
    if (!(await storage.store.copy(source.version, version))) throw storageErrors.noSuchKey()
    await transactionAs(storage.database, caller, OPERATION, (query) =>
      query(saveObject(copy, upsert)),
    )
  } catch (error) {
    await discardFile(storage, version)
    throw error
  }
  if (upsert) await removeOrphans(storage)
  return Response.json(copyResponse(copy, source))
}

function copyResponse(copy: NewObject, source: ObjectRow) {
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
