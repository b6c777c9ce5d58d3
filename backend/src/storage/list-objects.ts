import * as v from 'valibot'
import type { Action } from './context.ts'
import { findBucket } from './find-bucket.ts'
import { LIMITS } from './limits.ts'
import { assertBucketName, splitAddress } from './names.ts'
import { parseBody } from './parse-body.ts'
import { queryAs } from './run-as-member.ts'

const schema = v.object({
  prefix: v.optional(v.pipe(v.string(), v.maxLength(LIMITS.nameLength)), ''),
  limit: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LIMITS.listRows)),
    100,
  ),
  offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  search: v.optional(v.pipe(v.string(), v.maxLength(LIMITS.nameLength)), ''),
  sortBy: v.optional(
    v.object({
      column: v.optional(
        v.picklist(['name', 'updated_at', 'created_at', 'last_accessed_at']),
        'name',
      ),
      order: v.optional(v.picklist(['asc', 'desc']), 'asc'),
    }),
    {},
  ),
})

/** Lists a folder, one level deep. Folders have no rows; they are prefixes of names. */
export const listObjects: Action = async (storage, request, context, rest) => {
  const { prefix, limit, offset, search, sortBy } = await parseBody(schema, request, context)
  const { bucket } = splitAddress(rest)
  assertBucketName(bucket)
  await findBucket(storage, bucket)
  const folder = prefix.replace(/^\/+|\/+$/g, '')
  const { column, order } = sortBy
  const { rows } = await queryAs(storage.database, context, 'storage.object.list', {
    name: `storage_list_${column}_${order}`,
    text: listText(column, order),
    values: [bucket, folder && `${folder}/`, search.toLowerCase(), limit, offset],
  })
  return Response.json(rows)
}

// `column` and `order` come from the picklists. Folders have no dates, so they come first when sorted by date, as hosted.
function listText(column: string, order: string): string {
  return `
    with named as (
      select substr(name, length($2) + 1) collate "C" as rest, o.*
      from storage.objects o
      where bucket_id = $1 and starts_with(name collate "C", $2)
        and starts_with(lower(substr(name, length($2) + 1)), $3)
    ), entries as (
      select rest as name, id, updated_at, created_at, last_accessed_at, metadata, version, owner, bucket_id
      from named where strpos(rest, '/') = 0 and rest <> ''
      union all
      select distinct split_part(rest, '/', 1) collate "C", null::uuid, null::timestamptz, null::timestamptz,
        null::timestamptz, null::jsonb, null::text, null::uuid, null::text
      from named where strpos(rest, '/') > 0
    )
    select name, id, updated_at, created_at, last_accessed_at, metadata from entries
    order by ${column === 'name' ? '' : `id is not null, ${column} ${order},`} name ${order}
    limit $4 offset $5`
}
