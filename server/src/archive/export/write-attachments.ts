import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ShortFileError } from 'backend/gateway/open-object-store.ts'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError, StoreAwayError } from '../../backup/archive/errors.ts'
import type { FileSource } from '../../backup/files/file-source.ts'
import { BUCKET, readArchivedFile, type ArchivedFile } from '../archived-files.ts'
import { readInPages } from '../read-in-pages.ts'
import type { ExportProgress } from './export-state.ts'
import { writeWhole } from './hashed-file.ts'

const FOLDER = 'attachments'

type FileRow = ArchivedFile & { sha256: string }

const READ = `
  select distinct on (1) r.content ->> 'sha256' as sha256, r.content ->> 'path' as path, o.version,
    o.metadata ->> 'size' as size
  from export_selection x join archive.records r using (seq)
  left join storage.objects o on o.bucket_id = '${BUCKET}' and o.name = r.content ->> 'path'
  where r.kind = 'message.file' and r.content ->> 'sha256' > $1
  order by 1, r.seq`

/** A file may have been sent more than once. */
const READ_COPIES = `
  select r.content ->> 'sha256' as sha256, r.content ->> 'path' as path, o.version, o.metadata ->> 'size' as size
  from export_selection x join archive.records r using (seq)
  join storage.objects o on o.bucket_id = '${BUCKET}' and o.name = r.content ->> 'path'
  where r.kind = 'message.file' and r.content ->> 'sha256' = $1 and r.content ->> 'path' <> $2
  order by r.seq limit 20`

/** Where the bytes of a file are, by what was archived of it. */
export function attachmentPath(file: { sha256: string; path: string }): string {
  const [, ending] = /\.([a-z0-9]{1,5})$/.exec(file.path) ?? []
  return `${FOLDER}/${file.sha256}${ending ? `.${ending}` : ''}`
}

/** Writes each file once, under its SHA-256. One that is gone or is not what was archived is listed as missing. */
export async function writeAttachments(
  client: GuardedClient,
  folder: string,
  source: FileSource,
  progress: ExportProgress,
  passed: (files: number) => void,
): Promise<void> {
  const done = { ...progress.state.attachments }
  passed(done.count)
  if (done.isDone) return
  await mkdir(join(folder, FOLDER), { recursive: true })
  const rows = readInPages<FileRow>(client, 'export_files', READ, [done.sha256])
  for await (const file of rows) {
    const path = attachmentPath(file)
    const why = await copyAny(client, source, file, join(folder, path))
    if (typeof why === 'string') progress.list({ missing: file.path, sha256: file.sha256, why })
    else progress.list({ path, sha256: file.sha256, bytes: why })
    done.sha256 = file.sha256
    done.count++
    passed(1)
    await progress.note({ attachments: { ...done } })
  }
  await progress.note({ attachments: { ...done, isDone: true } })
}

/** @returns the size, or why the first copy is missing, if all are */
async function copyAny(client: GuardedClient, source: FileSource, first: FileRow, path: string) {
  const outcome = await copy(source, first, path)
  if (typeof outcome === 'number') return outcome
  const { rows } = await client.query<FileRow>(READ_COPIES, [first.sha256, first.path])
  for (const other of rows) {
    const size = await copy(source, other, path)
    if (typeof size === 'number') return size
  }
  return outcome
}

/**
 * @returns the size, or why it is missing
 * @throws BackupError if the store is away: then nobody knows
 */
async function copy(source: FileSource, file: FileRow, path: string): Promise<number | string> {
  try {
    const chunks = await readArchivedFile(source, file)
    if (!chunks) return 'gone'
    const written = await writeWhole(path, async (copied) => {
      for await (const chunk of chunks) await copied.write(chunk)
    })
    if (written.sha256 === file.sha256) return written.bytes
  } catch (error) {
    await rm(`${path}.partial`, { force: true })
    if (error instanceof ShortFileError) return 'gone'
    if (!(error instanceof StoreAwayError)) throw error
    throw new BackupError(`${error.what} Go on with --resume when it is back.`, { cause: error })
  }
  await rm(path, { force: true })
  return 'altered'
}
