import { createHash } from 'node:crypto'
import { ShortFileError } from 'backend/gateway/open-object-store.ts'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import type { FileSource } from '../backup/files/file-source.ts'
import { BUCKET, readArchivedFile, type ArchivedFile } from './archived-files.ts'
import type { Finding } from './check-chain.ts'
import { readInPages } from './read-in-pages.ts'

type FileRow = ArchivedFile & { seq: string; sha256: string }

const READ_FILES = `
  select r.seq::text, r.content ->> 'path' as path, r.content ->> 'sha256' as sha256, o.version,
    o.metadata ->> 'size' as size
  from archive.records r
  left join storage.objects o on o.bucket_id = '${BUCKET}' and o.name = r.content ->> 'path'
  where r.kind = 'message.file' and r.content ->> 'sha256' is not null
  order by r.seq`

/**
 * Compares the bytes of every sent file with what was archived.
 * @returns how many
 * @throws StoreAwayError if they cannot be read now
 */
export async function checkFiles(
  client: GuardedClient,
  source: FileSource,
  found: (finding: Finding) => void,
  passed: () => void,
): Promise<number> {
  let count = 0
  for await (const file of readInPages<FileRow>(client, 'archived_files', READ_FILES)) {
    count++
    const actual = await hashOf(source, file)
    if (actual === null) found({ what: `the file of record ${file.seq} is missing: ${file.path}` })
    else if (actual !== file.sha256)
      found({ what: `the file of record ${file.seq} was altered: ${file.path}` })
    passed()
  }
  return count
}

/** Null when it is not there; empty when a part of it is not. */
async function hashOf(source: FileSource, file: ArchivedFile): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    const chunks = await readArchivedFile(source, file)
    if (!chunks) return null
    for await (const chunk of chunks) hash.update(chunk)
    return hash.digest('hex')
  } catch (error) {
    if (error instanceof ShortFileError) return ''
    throw error
  }
}
