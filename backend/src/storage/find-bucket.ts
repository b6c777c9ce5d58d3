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
