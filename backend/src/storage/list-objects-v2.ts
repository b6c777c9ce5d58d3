import * as v from 'valibot'
import { parseStorableJson } from '#http/storable-json.ts'
import type { Action } from './context.ts'
import { storageErrors } from './errors.ts'
import { findBucket } from './find-bucket.ts'
import { LIMITS } from './limits.ts'
import { assertBucketName, splitAddress } from './names.ts'
import { parseBody } from './parse-body.ts'
import { queryAs } from './run-as-member.ts'

const schema = v.object({
  prefix: v.optional(v.pipe(v.string(), v.maxLength(LIMITS.nameLength)), ''),
  limit: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LIMITS.listRows)),
    LIMITS.listRows,
  ),
  cursor: v.optional(v.string()),
  with_delimiter: v.optional(v.boolean(), false),
  sortBy: v.optional(
    v.object({
      column: v.picklist(['name', 'updated_at', 'created_at']),
      order: v.optional(v.picklist(['asc', 'desc']), 'asc'),
    }),
    { column: 'name' },
  ),
})
/** Sort key of a page's last entry; the next page starts after it. */
const cursorSchema = v.object({ name: v.string(), date: v.nullable(v.string()) })
type Cursor = v.InferOutput<typeof cursorSchema>
type Entry = Record<string, unknown> & { name: string; id: string | null; sorted_at: string | null }

/** Lists names with a prefix in pages, flat or grouped by folder. */
export const listObjectsV2: Action = async (storage, request, context, rest) => {
  const { prefix, limit, cursor, with_delimiter, sortBy } = await parseBody(
    schema,
    request,
    context,
  )
  const { bucket } = splitAddress(rest)
  assertBucketName(bucket)
  await findBucket(storage, bucket)
  const after = cursor === undefined ? null : decodeCursor(cursor)
  const { column, order } = sortBy
  const { rows } = await queryAs(storage.database, context, 'storage.object.list_v2', {
    name: `storage_list_v2_${column}_${order}_${after ? 'after' : 'first'}`,
    text: listText(column, order, after !== null),
    values: [bucket, prefix, with_delimiter, limit + 1, ...(after ? [after.name, after.date] : [])],
  })
  const hasNext = rows.length > limit
  const page = (rows as Entry[]).slice(0, limit)
  const last = page.at(-1)
  const isFolder = ({ id }: Entry) => id === null
  return Response.json({
    hasNext,
    ...(hasNext && last
      ? { nextCursor: encodeCursor({ name: last.name, date: last.sorted_at }) }
      : {}),
    folders: page.filter(isFolder).map(({ name }) => ({ key: name.replace(/\/$/, ''), name })),
    objects: page
      .filter((entry) => !isFolder(entry))
      .map(({ sorted_at: _sorted, ...object }) => ({ key: object.name, ...object })),
  })
}

// `column` and `order` come from the picklists. Folders have no dates and sort as the oldest.
function listText(column: string, order: string, hasCursor: boolean): string {
  const sort = column === 'name' ? 'null::text' : `coalesce(${column}::text, '')`
  const beyond = order === 'asc' ? '>' : '<'
  const behind =
    column === 'name'
      ? `name ${beyond} $5 and $6::text is null`
      : `(sorted_at, name) ${beyond} ($6, $5)`
  return `
    with named as (
      select strpos(substr(name, length($2) + 1), '/') as slash, o.*
      from storage.objects o where bucket_id = $1 and starts_with(name collate "C", $2)
    ), entries as (
      select name collate "C" as name, id, updated_at, created_at, last_accessed_at, metadata
      from named where not $3 or slash = 0
      union all
      select distinct left(name, length($2) + slash) collate "C", null::uuid, null::timestamptz,
        null::timestamptz, null::timestamptz, null::jsonb
      from named where $3 and slash > 0
    ), sorted as (select *, ${sort} collate "C" as sorted_at from entries)
    select * from sorted ${hasCursor ? `where ${behind}` : ''}
    order by ${column === 'name' ? '' : `sorted_at ${order},`} name ${order} limit $4`
}

function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

function decodeCursor(text: string): Cursor {
  try {
    return v.parse(cursorSchema, parseStorableJson(Buffer.from(text, 'base64url').toString('utf8')))
  } catch (cause) {
    throw storageErrors.invalidRequest('The cursor is not one of ours', { cause })
  }
}
