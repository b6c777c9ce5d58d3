import type { Query } from '#postgres/statement.ts'
import { discardDraft } from './draft.ts'
import type { BucketRules } from './find-bucket.ts'
import { assertAllowedType, isDeclared, judgeContentType } from './judge-content-type.ts'
import { expectBytes, giveUpBytes, removeLeftovers } from './leftovers.ts'
import { findObject, saveObject, type NewObject, type ObjectMetadata } from './object-rows.ts'
import { readUpload } from './read-upload.ts'
import type { Storage } from './service.ts'

export type UploadOrder = {
  bucket: BucketRules
  name: string
  ownerId: string | null
  upsert: boolean
  randomId(): string
  /** Runs the final write in the name it is to be made in. */
  write(work: (query: Query) => Promise<unknown>): Promise<unknown>
}

/** Receives a file, looks at it, keeps it, and only then lets its row speak of it. */
export async function storeUpload(
  storage: Storage,
  request: Request,
  { bucket, name, ownerId, upsert, randomId, write }: UploadOrder,
): Promise<{ id: string }> {
  const version = randomId()
  const limit = Math.min(storage.fileSizeLimit, Number(bucket.file_size_limit ?? Infinity))
  const upload = await readUpload(request, {
    directory: storage.draftDirectory,
    id: version,
    limit,
  })
  const row = { id: randomId(), bucket: bucket.id, name, version, ownerId }
  try {
    if (isDeclared(upload.declaredType))
      assertAllowedType(upload.declaredType, bucket.allowed_mime_types)
    const type = judgeContentType(upload.declaredType, upload.draft.head)
    assertAllowedType(type, bucket.allowed_mime_types)
    const metadata = metadataOf(storage, version, upload.draft.size, type, upload.cacheControl)
    await expectBytes(storage, version)
    await storage.store.keep(upload.draft, version)
    const object: NewObject = { ...row, metadata, userMetadata: upload.userMetadata }
    await write((query) => query(saveObject(object, upsert)))
  } catch (error) {
    await discardDraft(upload.draft)
    await giveUpBytes(storage, version)
    throw error
  }
  if (!upsert) return row
  await removeLeftovers(storage)
  const { rows } = await storage.database
    .asService('storage', 'an update keeps the id the object had')
    .query(findObject(bucket.id, name))
  return (rows[0] as { id: string } | undefined) ?? row
}

/** What is kept about bytes. A version never changes, so its id is as good an entity tag as a digest. */
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
