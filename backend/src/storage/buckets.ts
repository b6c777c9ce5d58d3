import * as v from 'valibot'
import { boundedList } from '#http/bounded.ts'
import type { Action } from './context.ts'
import { storageErrors } from './errors.ts'
import { parseFileSize } from './file-size.ts'
import { LIMITS } from './limits.ts'
import { assertBucketName, splitAddress } from './names.ts'
import { deleteObjects } from './object-rows.ts'
import { removeOrphans } from './orphaned-files.ts'
import { parseBody, parseQuery } from './parse-body.ts'
import { asStorageError, queryAs, transactionAs } from './run-as-member.ts'

const rules = {
  public: v.nullish(v.boolean()),
  file_size_limit: v.nullish(v.union([v.pipe(v.number(), v.integer(), v.minValue(0)), v.string()])),
  allowed_mime_types: v.nullish(boundedList(v.string(), 0, LIMITS.mimeTypes)),
}
const createSchema = v.object({ id: v.optional(v.string()), name: v.string(), ...rules })
const updateSchema = v.object(rules)
const number = (least: number) =>
  v.pipe(v.string(), v.digits(), v.transform(Number), v.integer(), v.minValue(least))
const listSchema = v.object({
  limit: v.optional(number(1)),
  offset: v.optional(number(0), '0'),
  sortColumn: v.optional(v.picklist(['id', 'name', 'created_at', 'updated_at']), 'name'),
  sortOrder: v.optional(v.picklist(['asc', 'desc']), 'asc'),
  search: v.optional(v.string(), ''),
})
// The limit fits a JSON number; a bigint would be returned as a string.
const COLUMNS =
  'id, name, owner, public, file_size_limit::float8, allowed_mime_types, created_at, updated_at'

export const createBucket: Action = async (storage, request, { caller, holdBody }) => {
  const bucket = await parseBody(createSchema, request, { caller, holdBody })
  const id = bucket.id ?? bucket.name
  assertBucketName(id)
  assertBucketName(bucket.name)
  const owner = caller.claims.sub ?? null
  await transactionAs(storage.database, caller, 'storage.bucket.create', (query) =>
    query({
      text: `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types, owner_id)
             values ($1, $2, $3, $4, $5, $6)`,
      values: [
        id,
        bucket.name,
        bucket.public ?? false,
        parseFileSize(bucket.file_size_limit ?? null),
        bucket.allowed_mime_types ?? null,
        owner,
      ],
    }),
  )
  return Response.json({ name: bucket.name })
}

/** Changes a bucket's rules; omitted ones stay unchanged. */
export const updateBucket: Action = async (storage, request, { caller, holdBody }, rest) => {
  const bucket = await parseBody(updateSchema, request, { caller, holdBody })
  const has = (key: keyof typeof rules) => bucket[key] !== undefined
  await transactionAs(storage.database, caller, 'storage.bucket.update', async (query) => {
    const { rowCount } = await query({
      text: `update storage.buckets set
               public = case when $2 then coalesce($3, public) else public end,
               file_size_limit = case when $4 then $5 else file_size_limit end,
               allowed_mime_types = case when $6 then $7::text[] else allowed_mime_types end
             where id = $1`,
      values: [
        splitAddress(rest).bucket,
        has('public'),
        bucket.public ?? null,
        has('file_size_limit'),
        parseFileSize(bucket.file_size_limit ?? null),
        has('allowed_mime_types'),
        bucket.allowed_mime_types ?? null,
      ],
    })
    if (rowCount === 0) throw storageErrors.noSuchBucket()
  })
  return Response.json({ message: 'Successfully updated' })
}

/** The buckets the member may see. */
export const listBuckets: Action = async (storage, request, context) => {
  const { limit, offset, sortColumn, sortOrder, search } = parseQuery(listSchema, request)
  const { rows } = await queryAs(storage.database, context, 'storage.bucket.list', {
    text: `select ${COLUMNS}, type from storage.buckets where strpos(lower(name), $1) > 0
           order by ${sortColumn} ${sortOrder} limit $2 offset $3`,
    values: [search.toLowerCase(), limit ?? null, offset],
  })
  return Response.json(rows)
}

export const getBucket: Action = async (storage, _request, context, rest) => {
  const { rows } = await queryAs(storage.database, context, 'storage.bucket.get', {
    text: `select ${COLUMNS} from storage.buckets where id = $1`,
    values: [splitAddress(rest).bucket],
  })
  if (!rows[0]) throw storageErrors.noSuchBucket()
  return Response.json(rows[0])
}

/** Deletes all objects of a bucket that the member may delete. */
export const emptyBucket: Action = async (storage, _request, { caller }, rest) => {
  const id = splitAddress(rest).bucket
  await transactionAs(storage.database, caller, 'storage.bucket.empty', async (query) => {
    const { rowCount } = await query({
      text: 'select from storage.buckets where id = $1',
      values: [id],
    })
    if (rowCount === 0) throw storageErrors.noSuchBucket()
    await deleteObjects(query, id, 'all')
  })
  await removeOrphans(storage)
  return Response.json({ message: 'Successfully emptied' })
}

/** Deletes an empty bucket. */
export const deleteBucket: Action = async (storage, _request, { caller }, rest) => {
  await transactionAs(storage.database, caller, 'storage.bucket.delete', async (query) => {
    const { rowCount } = await query({
      text: 'delete from storage.buckets where id = $1',
      values: [splitAddress(rest).bucket],
    }).catch((error: { code?: string }) => {
      throw error.code === '23503'
        ? storageErrors.bucketNotEmpty({ cause: error })
        : asStorageError(error)
    })
    if (rowCount === 0) throw storageErrors.noSuchBucket()
  })
  return Response.json({ message: 'Successfully deleted' })
}
