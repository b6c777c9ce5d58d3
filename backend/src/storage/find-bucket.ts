import type { Context } from '#http/context.ts'
import type { Storage } from './context.ts'
import { storageErrors } from './errors.ts'
import { findObject, type ObjectRow } from './object-rows.ts'
import { queryAs } from './run-as-member.ts'

export type BucketRules = {
  id: string
  public: boolean
  file_size_limit: string | null
  allowed_mime_types: string[] | null
}

/** A bucket's rules, which apply even to members who cannot see the bucket. @throws NoSuchBucket */
export async function findBucket({ database }: Storage, id: string): Promise<BucketRules> {
  const { rows } = await database
    .asService('storage', 'bucket rules apply to members who cannot see the bucket')
    .query({
      name: 'storage_find_bucket',
      text: 'select id, public, file_size_limit, allowed_mime_types from storage.buckets where id = $1',
      values: [id],
    })
  if (!rows[0]) throw storageErrors.noSuchBucket()
  return rows[0] as BucketRules
}

/** An object in a public bucket, which no policy protects. @throws NoSuchKey */
export async function findInPublicBucket(
  { database }: Storage,
  bucket: string,
  name: string,
): Promise<ObjectRow> {
  const { rows } = await database
    .asService('storage', 'public buckets are readable by everyone')
    .query(findObject(bucket, name))
  return (rows[0] as ObjectRow | undefined) ?? missing()
}

/**
 * An object of a public bucket, with the bucket in the same query: every image on every screen uses this.
 * @throws NoSuchBucket also for a private bucket; NoSuchKey
 */
export async function findPublicObject(
  { database }: Storage,
  bucket: string,
  name: string,
): Promise<ObjectRow> {
  const { rows } = await database
    .asService('storage', 'public buckets are readable by everyone')
    .query({
      name: 'storage_find_public_object',
      text: `select o.* from storage.buckets b
           left join storage.objects o on o.bucket_id = b.id and o.name = $2
           where b.id = $1 and b.public`,
      values: [bucket, name],
    })
  const row = rows[0] as ObjectRow | { id: null } | undefined
  if (!row) throw storageErrors.noSuchBucket()
  return row.id === null ? missing() : row
}

/** An object, subject to the caller's policies. @throws NoSuchKey also if the caller may not read it */
export async function findForMember(
  storage: Storage,
  context: Pick<Context, 'caller'>,
  operation: string,
  { bucket, name }: { bucket: string; name: string },
): Promise<ObjectRow> {
  const { rows } = await queryAs(storage.database, context, operation, findObject(bucket, name))
  return (rows[0] as ObjectRow | undefined) ?? missing()
}

function missing(): never {
  throw storageErrors.noSuchKey()
}
