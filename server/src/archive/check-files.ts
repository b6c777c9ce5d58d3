import { createHash } from 'node:crypto'
import { ShortFileError } from 'backend/gateway/open-object-store.ts'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import type { FileSource } from '../backup/files/file-source.ts'
import { counted } from '../backup/progress.ts'
import {
  BUCKET,
  FEW_FILES,
  noneIn,
  readArchivedFile,
  type ArchivedFile,
  type ArchivedFiles,
} from './archived-files.ts'
import { addFinding, addFindings, noFindings } from './findings.ts'
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
 * @returns how many there are, and what was found: one sentence for all files that a store should have, if it has none
 * @throws StoreAwayError if they cannot be read now
 */
export async function checkFiles(client: GuardedClient, source: ArchivedFiles, passed: () => void) {
  const [findings, withoutRow] = [noFindings(), noFindings()]
  let [count, sought] = [0, 0]
  let isOneThere = false
  for await (const file of readInPages<FileRow>(client, 'archived_files', READ_FILES)) {
    count++
    const actual = await hashOf(source, file)
    if (file.version !== null) sought++
    if (actual !== null) isOneThere = true
    if (actual === null) {
      const missing = { what: `the file of record ${file.seq} is missing: ${file.path}` }
      addFinding(findings, missing)
      if (file.version === null) addFinding(withoutRow, missing)
    } else if (actual !== file.sha256)
      addFinding(findings, { what: `the file of record ${file.seq} was altered: ${file.path}` })
    passed()
  }
  if (isOneThere || sought < FEW_FILES) return { count, findings }
  const inOne = noFindings()
  addFinding(inOne, { what: noneIn(source, `the ${counted(sought, 'file')}`) })
  addFindings(inOne, withoutRow)
  return { count, findings: inOne }
}

export type UnhashedFiles = {
  /** How many the store did not have when they were to be archived. The records say so, and nothing is altered. */
  neverThere: number
  /** How many a server is still to read. */
  unread: number
  /** When the oldest of these was sent. */
  unreadSince: string | null
}

export async function countUnhashedFiles(client: GuardedClient): Promise<UnhashedFiles> {
  const { rows } = await client.query<UnhashedFiles>(
    `select
       (select count(*)::int from archive.records r
        where r.kind = 'message.file' and (r.content ->> 'is_missing')::boolean) as "neverThere",
       count(*)::int as unread, to_char(min(f.sent_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "unreadSince"
     from archive.files f where not f.is_recorded`,
  )
  return rows[0] ?? { neverThere: 0, unread: 0, unreadSince: null }
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
