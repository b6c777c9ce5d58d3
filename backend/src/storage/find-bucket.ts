import { storageErrors } from './errors.ts'
import { findObject, type ObjectRow } from './object-rows.ts'
import { readAs } from './run-as-member.ts'
import type { Context } from '#http/context.ts'
import type { Storage } from './service.ts'

export type BucketRules = {
  id: string
  public: boolean
  file_size_limit: string | null
  allowed_mime_types: string[] | null
}

/** A bucket's rules, which bind everyone, whether or not they may see the bucket. @throws NoSuchBucket */
export async function findBucket({ database }: Storage, id: string): Promise<BucketRules> {
  const { rows } = await database
    .asService('storage', 'limits bind members who cannot see the bucket')
    .query({
      name: 'storage_find_bucket',
      text: 'select id, public, file_size_limit, allowed_mime_types from storage.buckets where id = $1',
      values: [id],
    })
  if (!rows[0]) throw storageErrors.noSuchBucket()
  return rows[0] as BucketRules
}

/** An object that lies in a public bucket or that was signed for: no policy is asked. @throws NoSuchKey */
export async function findForEveryone(
  { database }: Storage,
  bucket: string,
  name: string,
): Promise<ObjectRow> {
  const { rows } = await database
    .asService('storage', 'the address itself is the permission')
    .query(findObject(bucket, name))
  return (rows[0] as ObjectRow | undefined) ?? missing()
}

/**
 * An object of a public bucket, bucket and all in one query: this is what every picture on every screen asks for.
 * @throws NoSuchBucket for a private bucket, which answers as if it were not there
 */
export async function findPublicObject(
  { database }: Storage,
  bucket: string,
  name: string,
): Promise<ObjectRow> {
  const { rows } = await database.asService('storage', 'public buckets are for everyone').query({
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

/** An object as the member may see it. @throws NoSuchKey also for what the member may not see */
export async function findForMember(
  storage: Storage,
  context: Context,
  operation: string,
  { bucket, name }: { bucket: string; name: string },
): Promise<ObjectRow> {
  const { rows } = await readAs(storage.database, context, operation, findObject(bucket, name))
  return (rows[0] as ObjectRow | undefined) ?? missing()
}

function missing(): never {
  throw storageErrors.noSuchKey()
}
