// Statements on storage.resumable_uploads and storage.resumable_parts, run as the service.
import { ServiceError } from '#http/service-error.ts'
import { OPEN_UPLOADS_LOCK } from '#postgres/locks.ts'
import type { Storage } from '../context.ts'
import { storageErrors } from '../errors.ts'
import { LIMITS } from '../limits.ts'

export type NewUpload = {
  id: string
  bucket: string
  name: string
  ownerId: string | null
  role: string
  uploader: string
  signatureId: string | null
  upsert: boolean
  length: number
  declaredType: string | null
  cacheControl: string
  userMetadata: Record<string, unknown>
  metadata: string
  expiresAt: Date
}

export type ResumableUpload = NewUpload & { received: number; parts: number; finished: boolean }

export type Part = { startAt: number; size: number; version: string }

const service = ({ database }: Storage) =>
  database.asService('storage', 'bookkeeping of uploads that can be resumed')

/** @throws TooManyRequests when the uploader, or all together, have too many unfinished uploads or bytes in them */
export async function insertUpload(storage: Storage, upload: NewUpload): Promise<void> {
  await service(storage).transaction(async (query) => {
    // One at a time, so that two requests at once do not pass a limit together.
    await query({
      name: 'storage_lock_open_uploads',
      text: 'select pg_advisory_xact_lock($1)',
      values: [OPEN_UPLOADS_LOCK],
    })
    const { rows } = await query({
      name: 'storage_count_open_uploads',
      text: `select count(*)::int as uploads, coalesce(sum(length), 0)::float8 as bytes,
               (count(*) filter (where uploader = $1))::int as own,
               coalesce(sum(length) filter (where uploader = $1), 0)::float8 as own_bytes
             from storage.resumable_uploads where finished_at is null and expires_at > $2`,
      values: [upload.uploader, new Date(storage.clock.now())],
    })
    assertRoom(rows[0] as OpenUploads, upload)
    await query({
      name: 'storage_insert_resumable_upload',
      text: `insert into storage.resumable_uploads (id, bucket_id, name, owner_id, role, uploader, signature_id, upsert,
               length, declared_type, cache_control, user_metadata, metadata, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      values: [
        ...[upload.id, upload.bucket, upload.name, upload.ownerId, upload.role, upload.uploader],
        ...[upload.signatureId, upload.upsert, upload.length, upload.declaredType],
        ...[upload.cacheControl, JSON.stringify(upload.userMetadata), upload.metadata],
        upload.expiresAt,
      ],
    })
  })
}

type OpenUploads = { uploads: number; bytes: number; own: number; own_bytes: number }

function assertRoom(open: OpenUploads, { role, length }: NewUpload): void {
  // Trusted servers share one key, so only members and anonymous callers have a share.
  const isOverShare =
    role !== 'service_role' &&
    (open.own >= LIMITS.openUploadsPerCaller ||
      open.own_bytes + length > LIMITS.openUploadBytesPerCaller)
  const isFull = open.uploads >= LIMITS.openUploads || open.bytes + length > LIMITS.openUploadBytes
  if (isOverShare || isFull) throw storageErrors.tooManyOpenUploads()
}

export async function findUpload(storage: Storage, id: string): Promise<ResumableUpload | null> {
  const { rows } = await service(storage).query({
    name: 'storage_find_resumable_upload',
    text: `select id, bucket_id as bucket, name, owner_id as "ownerId", role, uploader, signature_id as "signatureId", upsert,
             length::float8 as length, received::float8 as received, declared_type as "declaredType",
             cache_control as "cacheControl", user_metadata as "userMetadata", metadata, expires_at as "expiresAt",
             finished_at is not null as finished,
             (select count(*) from storage.resumable_parts p where p.upload_id = u.id)::int as parts
           from storage.resumable_uploads u where id = $1`,
    values: [id],
  })
  return (rows[0] as ResumableUpload | undefined) ?? null
}

/** Notes which request sends. @returns false unless the upload is unfinished and stands at `offset` */
export async function beginWriting(
  storage: Storage,
  id: string,
  offset: number,
  writer: string,
): Promise<boolean> {
  const { rowCount } = await service(storage).query({
    name: 'storage_begin_writing',
    text: `update storage.resumable_uploads set writer = $3
           where id = $1 and received = $2 and finished_at is null`,
    values: [id, offset, writer],
  })
  return rowCount === 1
}

/**
 * Records a part. Of two requests that send the same bytes, the first that has a part whole wins; one whose connection broke
 * does not take the place of a later one.
 * @returns false when another request was first
 */
export async function addPart(
  storage: Storage,
  id: string,
  { startAt, size, version }: Part,
  { writer, isCut }: { writer: string; isCut: boolean },
): Promise<boolean> {
  const { rowCount } = await service(storage).query({
    name: 'storage_add_part',
    text: `with moved as (
             update storage.resumable_uploads set received = received + $3
             where id = $1 and received = $2 and finished_at is null and (writer = $5 or not $6)
             returning id)
           insert into storage.resumable_parts (upload_id, start_at, size, version)
           select id, $2, $3, $4 from moved`,
    values: [id, startAt, size, version, writer, isCut],
  })
  return rowCount === 1
}

export async function findParts(storage: Storage, id: string): Promise<Part[]> {
  const { rows } = await service(storage).query({
    name: 'storage_find_parts',
    text: `select start_at::float8 as "startAt", size::float8 as size, version
           from storage.resumable_parts where upload_id = $1 order by start_at`,
    values: [id],
  })
  return rows as Part[]
}

/** Makes the files of a finished upload's parts due for removal. The upload stays, for a client that asks again. */
export async function releaseParts(storage: Storage, id: string): Promise<void> {
  await service(storage).query({
    name: 'storage_release_parts',
    text: `with released as (delete from storage.resumable_parts where upload_id = $1 returning version)
           update storage.leftovers set due_at = now() where version in (select version from released)`,
    values: [id],
  })
}

/** Deletes an unfinished upload, and makes its files due. @returns false when it has finished meanwhile */
export async function deleteUpload(storage: Storage, id: string): Promise<boolean> {
  const { rowCount } = await service(storage).query({
    name: 'storage_delete_resumable_upload',
    text: `with gone as (delete from storage.resumable_uploads where id = $1 and finished_at is null returning id),
             due as (update storage.leftovers set due_at = now() where version in (
               select version from storage.resumable_parts where upload_id in (select id from gone)))
           select from gone`,
    values: [id],
  })
  return rowCount === 1
}

/** Deletes an upload when trying again cannot help: its bytes will never be allowed, or are gone. */
export async function dropIfHopeless(storage: Storage, id: string, error: unknown): Promise<void> {
  const isHopeless =
    error instanceof ServiceError && ['InvalidMimeType', 'NoSuchUpload'].includes(error.code)
  if (isHopeless) await deleteUpload(storage, id)
}

/** Deletes what has expired; its files are due by then. */
export async function deleteExpiredUploads(storage: Storage): Promise<void> {
  try {
    await service(storage).query({
      name: 'storage_delete_expired_uploads',
      text: `with gone as (delete from storage.resumable_uploads where expires_at <= $1 returning id)
             update storage.leftovers set due_at = now() where version in (
               select version from storage.resumable_parts where upload_id in (select id from gone))`,
      values: [new Date(storage.clock.now())],
    })
  } catch (error) {
    storage.log.warn({ err: error }, 'could not delete expired uploads; will retry')
  }
}
