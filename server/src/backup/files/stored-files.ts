import type { GuardedClient } from 'backend/postgres/guarded-client.ts'

/** A file that a row of `storage.objects` names. */
export type StoredFile = {
  version: string
  bucket: string
  name: string
  size: number | null
  etag?: string | null
}

const PAGE = 1000

/** The files that the client's transaction knows of. */
export async function* storedFiles(client: GuardedClient): AsyncGenerator<StoredFile> {
  await client.query(
    `declare stored_files no scroll cursor for
     select version, bucket_id as bucket, name, (metadata ->> 'size')::bigint as size,
       metadata ->> 'eTag' as etag
     from storage.objects where version is not null`,
  )
  for (;;) {
    const { rows } = await client.query<StoredFile & { size: string | null }>(
      `fetch ${PAGE} from stored_files`,
    )
    for (const row of rows) yield { ...row, size: row.size === null ? null : Number(row.size) }
    if (rows.length < PAGE) break
  }
  await client.query('close stored_files')
}

/** Number and bytes of these files, for the progress that is shown. */
export async function measureFiles(
  client: GuardedClient,
): Promise<{ count: number; bytes: number }> {
  const { rows } = await client.query<{ count: string; bytes: string }>(
    `select count(*), coalesce(sum((metadata ->> 'size')::bigint), 0) as bytes from storage.objects`,
  )
  return { count: Number(rows[0]?.count), bytes: Number(rows[0]?.bytes) }
}
