// Statements on storage.objects. Those that take a `query` run with its transaction's role: a member's, subject to
// policies, or the service's.
import type { Query, Statement } from '#postgres/statement.ts'

export type ObjectMetadata = {
  eTag: string
  size: number
  mimetype: string
  cacheControl: string
  lastModified: string
  contentLength: number
  httpStatusCode: number
}

export type ObjectRow = {
  id: string
  bucket_id: string
  name: string
  version: string
  metadata: ObjectMetadata
  user_metadata: Record<string, unknown> | null
  created_at: Date
  updated_at: Date
}

export type NewObject = {
  id: string
  bucket: string
  name: string
  version: string
  ownerId: string | null
  metadata: Partial<ObjectMetadata>
  userMetadata: Record<string, unknown>
}

const COLUMNS = 'id, bucket_id, name, version, metadata, user_metadata, created_at, updated_at'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function findObject(bucket: string, name: string): Statement {
  return {
    name: 'storage_find_object',
    text: `select ${COLUMNS} from storage.objects where bucket_id = $1 and name = $2`,
    values: [bucket, name],
  }
}

/**
 * Inserts the row, or with `upsert` updates an existing one. Without `returning` on purpose: it would require the right to
 * read, and a member may only have the right to insert.
 */
export function saveObject(object: NewObject, upsert: boolean): Statement {
  const conflict = upsert
    ? `on conflict (bucket_id, name) do update set version = excluded.version, owner = excluded.owner,
         owner_id = excluded.owner_id, metadata = excluded.metadata, user_metadata = excluded.user_metadata`
    : ''
  return {
    name: upsert ? 'storage_upsert_object' : 'storage_insert_object',
    text: `insert into storage.objects (id, bucket_id, name, version, owner, owner_id, metadata, user_metadata)
           values ($1, $2, $3, $4, $5, $6, $7, $8) ${conflict}`,
    values: [
      object.id,
      object.bucket,
      object.name,
      object.version,
      object.ownerId && UUID.test(object.ownerId) ? object.ownerId : null,
      object.ownerId,
      JSON.stringify(object.metadata),
      JSON.stringify(object.userMetadata),
    ],
  }
}

/** Renames the row; the file does not depend on the name. @returns false when no row was updated */
export async function renameObject(
  query: Query,
  from: { bucket: string; name: string },
  to: { bucket: string; name: string },
): Promise<boolean> {
  const { rowCount } = await query({
    name: 'storage_rename_object',
    text: 'update storage.objects set bucket_id = $3, name = $4 where bucket_id = $1 and name = $2',
    values: [from.bucket, from.name, to.bucket, to.name],
  })
  return rowCount === 1
}

/** @returns the deleted rows, in the protocol's format */
export async function deleteObjects(
  query: Query,
  bucket: string,
  names: readonly string[] | 'all',
): Promise<(ObjectRow & Record<string, unknown>)[]> {
  const { rows } = await query({
    name: names === 'all' ? 'storage_empty_bucket' : 'storage_delete_objects',
    text: `delete from storage.objects where bucket_id = $1 ${names === 'all' ? '' : 'and name = any($2)'}
           returning ${COLUMNS}, owner, owner_id, last_accessed_at`,
    values: names === 'all' ? [bucket] : [bucket, names],
  })
  return rows as (ObjectRow & Record<string, unknown>)[]
}
