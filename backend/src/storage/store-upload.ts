import type { Query } from '#postgres/statement.ts'
import type { Storage } from './context.ts'
import type { BucketRules } from './find-bucket.ts'
import { assertImageSize } from './image-pixels.ts'
import { LIMITS } from './limits.ts'
import { findObject, saveObject, type ObjectMetadata } from './object-rows.ts'
import { registerFile, discardFile, removeOrphans } from './orphaned-files.ts'
import { readUpload, type Upload } from './read-upload.ts'
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
  const upload = await readUpload(request, {
    directory: storage.stagingDirectory,
    id: version,
    limit: sizeLimitOf(bucket),
  })
  const row = { id: randomId(), bucket, name, version, ownerId }
  await storeStaged(storage, { ...upload, ...row, upsert, write })
  if (!upsert) return row
  await removeOrphans(storage)
  const { rows } = await storage.database
    .asService('storage', 'an update keeps the id of the object')
    .query(findObject(bucket.id, name))
  return (rows[0] as { id: string } | undefined) ?? row
}

/** What a file in a bucket may have. */
export function sizeLimitOf(bucket: BucketRules): number {
  return Math.min(LIMITS.fileBytes, Number(bucket.file_size_limit ?? Infinity))
}

type StagedObject = Upload &
  Pick<UploadParams, 'bucket' | 'name' | 'ownerId' | 'upsert' | 'write'> & {
    id: string
    version: string
  }

/** Stores a received file if its bucket takes its type, and then writes its row. Leaves nothing behind when it fails. */
export async function storeStaged(
  storage: Storage,
  { staged, bucket, declaredType, cacheControl, upsert, write, ...object }: StagedObject,
): Promise<void> {
  const { version } = object
  try {
    if (isDeclared(declaredType)) assertAllowedType(declaredType, bucket.allowed_mime_types)
    const type = resolveContentType(declaredType, staged.head)
    assertAllowedType(type, bucket.allowed_mime_types)
    await assertImageSize(staged, type)
    const metadata = metadataOf(storage, version, staged.size, type, cacheControl)
    await registerFile(storage, version)
    await storage.store.put(staged, version)
    await write((query) => query(saveObject({ ...object, bucket: bucket.id, metadata }, upsert)))
  } catch (error) {
    await discardStagedUpload(staged)
    await discardFile(storage, version)
    throw error
  }
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
