import type { Query } from '#postgres/statement.ts'
import type { Storage } from './context.ts'
import type { BucketRules } from './find-bucket.ts'
import { LIMITS } from './limits.ts'
import { findObject, saveObject, type NewObject, type ObjectMetadata } from './object-rows.ts'
import { registerFile, discardFile, removeOrphans } from './orphaned-files.ts'
import { readUpload } from './read-upload.ts'
import { assertAllowedType, isDeclared, resolveContentType } from './resolve-content-type.ts'
import { discardStagedUpload } from './staged-upload.ts'

export type UploadParams = {
  bucket: BucketRules
  name: string
  ownerId: string | null
  upsert: boolean
  randomId(): string
  /** Runs the final write with the uploader's role. */
  write(work: (query: Query) => Promise<unknown>): Promise<unknown>
}

/** Receives a file, checks its type, stores it, and only then writes its row. */
export async function storeUpload(
  storage: Storage,
  request: Request,
  { bucket, name, ownerId, upsert, randomId, write }: UploadParams,
): Promise<{ id: string }> {
  const version = randomId()
  const limit = Math.min(LIMITS.fileBytes, Number(bucket.file_size_limit ?? Infinity))
  const upload = await readUpload(request, {
    directory: storage.stagingDirectory,
    id: version,
    limit,
  })
  const row = { id: randomId(), bucket: bucket.id, name, version, ownerId }
  try {
    if (isDeclared(upload.declaredType))
      assertAllowedType(upload.declaredType, bucket.allowed_mime_types)
    const type = resolveContentType(upload.declaredType, upload.staged.head)
    assertAllowedType(type, bucket.allowed_mime_types)
    const metadata = metadataOf(storage, version, upload.staged.size, type, upload.cacheControl)
    await registerFile(storage, version)
    await storage.store.put(upload.staged, version)
    const object: NewObject = { ...row, metadata, userMetadata: upload.userMetadata }
    await write((query) => query(saveObject(object, upsert)))
  } catch (error) {
    await discardStagedUpload(upload.staged)
    await discardFile(storage, version)
    throw error
  }
  if (!upsert) return row
  await removeOrphans(storage)
  const { rows } = await storage.database
    .asService('storage', 'an update keeps the id of the object')
    .query(findObject(bucket.id, name))
  return (rows[0] as { id: string } | undefined) ?? row
}

/** Metadata of a version. A version never changes, so its id serves as the ETag. */
export function metadataOf(
  { clock }: Storage,
  version: string,
  size: number,
  mimetype: string,
  cacheControl: string,
): ObjectMetadata {
  return {
    eTag: `"${version}"`,
    size,
    mimetype,
    cacheControl,
    lastModified: new Date(clock.now()).toISOString(),
    contentLength: size,
    httpStatusCode: 200,
  }
}
