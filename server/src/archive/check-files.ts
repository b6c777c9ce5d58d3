import { createHash } from 'node:crypto'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import type { FileSource } from '../backup/files/file-source.ts'
import type { Finding } from './check-chain.ts'
import { readInPages } from './read-in-pages.ts'

type FileRow = {
  seq: string
  path: string
  sha256: string
  version: string | null
  size: string | null
}

export const BUCKET = 'chat-images'

const READ_FILES = `
  select r.seq::text, r.content ->> 'path' as path, r.content ->> 'sha256' as sha256, o.version,
    o.metadata ->> 'size' as size
  from archive.records r
  left join storage.objects o on o.bucket_id = '${BUCKET}' and o.name = r.content ->> 'path'
  where r.kind = 'message.file' and r.content ->> 'sha256' is not null
  order by r.seq`

/** Compares the bytes of every sent image with what was archived. @returns how many */
export async function checkFiles(
  client: GuardedClient,
  source: FileSource,
  found: (finding: Finding) => void,
): Promise<number> {
  let count = 0
  for await (const file of readInPages<FileRow>(client, 'archived_files', READ_FILES)) {
    count++
    const actual = file.version
      ? await hashOf(source, file.path, file.version, Number(file.size))
      : null
    if (actual === null) found({ what: `the file of record ${file.seq} is missing: ${file.path}` })
    else if (actual !== file.sha256)
      found({ what: `the file of record ${file.seq} was altered: ${file.path}` })
  }
  return count
}

async function hashOf(
  source: FileSource,
  name: string,
  version: string,
  size: number,
): Promise<string | null> {
  const body = await source.read({ bucket: BUCKET, name, version, size })
  if (!body) return null
  const hash = createHash('sha256')
  try {
    if (body instanceof Uint8Array) hash.update(body)
    else for await (const chunk of body) hash.update(chunk)
  } catch {
    // Shorter than it was: the store says so while reading.
    return ''
  }
  return hash.digest('hex')
}
