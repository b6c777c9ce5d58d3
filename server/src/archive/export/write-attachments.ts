import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ShortFileError } from 'backend/gateway/open-object-store.ts'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError, StoreAwayError } from '../../backup/archive/errors.ts'
import type { FileSource } from '../../backup/files/file-source.ts'
import { counted } from '../../backup/progress.ts'
import {
  BUCKET,
  FEW_FILES,
  noneIn,
  readArchivedFile,
  type ArchivedFile,
  type ArchivedFiles,
} from '../archived-files.ts'
import { readInPages } from '../read-in-pages.ts'
import type { ExportProgress, MissingFile } from './export-state.ts'
import { writeWhole } from './hashed-file.ts'

const FOLDER = 'attachments'

/** They come in the order of their SHA-256: the first are a sample of all. */
const SAMPLE = 20

type CopyRow = ArchivedFile & { sha256: string }
type FileRow = CopyRow & { ending: string }

const ENDING = '\\.([a-z0-9]{1,5})$'

/** The same bytes may have been sent as quote.txt and as quote.csv. */
const READ = `
  select distinct on (1, 2) f.sha256, f.ending, f.path, o.version, o.metadata ->> 'size' as size
  from (
    select r.seq, (r.content ->> 'sha256') collate "C" as sha256, r.content ->> 'path' as path,
      coalesce(substring(r.content ->> 'path' from '${ENDING}'), '') collate "C" as ending
    from export_selection x join archive.records r using (seq)
    where r.kind = 'message.file'
  ) f
  left join storage.objects o on o.bucket_id = '${BUCKET}' and o.name = f.path
  where (f.sha256, f.ending) > ($1, $2)
  order by 1, 2, f.seq`

/** A file may have been sent more than once. */
const READ_COPIES = `
  select r.content ->> 'sha256' as sha256, r.content ->> 'path' as path, o.version, o.metadata ->> 'size' as size
  from export_selection x join archive.records r using (seq)
  join storage.objects o on o.bucket_id = '${BUCKET}' and o.name = r.content ->> 'path'
  where r.kind = 'message.file' and r.content ->> 'sha256' = $1 and r.content ->> 'path' <> $2
  order by r.seq`

/** The store did not have them when they were to be hashed, or they were still to be read when the export began. */
const READ_UNHASHED = `
  select case r.kind when 'message.file' then r.content ->> 'path' else r.content -> 'attachment' ->> 'path' end as missing,
    r.subject_id::text as message, case r.kind when 'message.file' then 'never there' else 'not read yet' end as why
  from export_selection x join archive.records r using (seq)
  where r.kind = 'message.file' and (r.content ->> 'is_missing')::boolean
    or r.kind = 'message.sent' and r.content -> 'attachment' ->> 'path' is not null
      and exists (select from archive.files f where f.message_id = r.subject_id)
      and not exists (
        select from archive.records f where f.subject_id = r.subject_id and f.kind = 'message.file' and f.seq <= $1
      )
  order by r.seq`

/** Where the bytes of a file are, by what was archived of it. */
export function attachmentPath(file: { sha256: string; path: string }): string {
  const [, ending] = new RegExp(ENDING).exec(file.path) ?? []
  return `${FOLDER}/${file.sha256}${ending ? `.${ending}` : ''}`
}

/**
 * Writes each file once, under its SHA-256 and the ending it was sent with. One that is gone, is not what was archived or was never
 * read is listed as missing.
 * @throws BackupError if none of the first is there: only to go on with the same store lists them
 */
export async function writeAttachments(
  client: GuardedClient,
  folder: string,
  source: ArchivedFiles,
  progress: ExportProgress,
  passed: (files: number) => void,
): Promise<void> {
  const done = { ...progress.state.attachments }
  passed(done.count)
  if (done.isDone) return
  await mkdir(join(folder, FOLDER), { recursive: true })
  const rows = readInPages<FileRow>(client, 'export_files', READ, [done.sha256, done.ending])
  let isTrusted = done.count > 0 || progress.state.doubtedPlace === source.place
  /** Gone, and not listed as missing before the store is trusted. */
  let gone: MissingFile[] = []
  let sought = 0
  async function trustOrStop() {
    if (!isTrusted && sought >= FEW_FILES) {
      await progress.note({ doubtedPlace: source.place })
      throw new BackupError(
        `${noneIn(source, `the first ${counted(sought, 'file')}`)} ` +
          'Go on with --resume once that is right. If the files are lost, --resume lists them as missing.',
      )
    }
    isTrusted = true
    gone.forEach(progress.list)
    gone = []
  }
  for await (const file of rows) {
    const path = attachmentPath(file)
    const { sha256, ending, version } = file
    const outcome = await copyAny(client, source, file, join(folder, path))
    Object.assign(done, { sha256, ending })
    done.count++
    passed(1)
    if (outcome === 'gone') {
      gone.push({ missing: file.path, sha256, why: outcome })
      if (version !== null) sought++
      if (!isTrusted && gone.length < SAMPLE) continue
    } else isTrusted = true
    await trustOrStop()
    if (outcome === 'altered') progress.list({ missing: file.path, sha256, why: outcome })
    else if (outcome !== 'gone') progress.list({ path, sha256, bytes: outcome })
    await progress.note({ attachments: { ...done } })
  }
  await trustOrStop()
  const unhashed = readInPages<MissingFile>(client, 'export_unhashed', READ_UNHASHED, [
    progress.state.extent.toSeq,
  ])
  for await (const file of unhashed) progress.list(file)
  await progress.note({ attachments: { ...done, isDone: true } })
}

/** @returns the size, or why the first copy is missing, if all are */
async function copyAny(client: GuardedClient, source: FileSource, first: FileRow, path: string) {
  const outcome = await copy(source, first, path)
  if (typeof outcome === 'number') return outcome
  const values = [first.sha256, first.path]
  for await (const other of readInPages<CopyRow>(client, 'export_copies', READ_COPIES, values)) {
    const size = await copy(source, other, path)
    if (typeof size === 'number') return size
  }
  return outcome
}

/**
 * @returns the size, or why it is missing
 * @throws BackupError if the store is away: then nobody knows
 */
async function copy(
  source: FileSource,
  file: CopyRow,
  path: string,
): Promise<number | 'gone' | 'altered'> {
  // What an interrupted export left may be anything.
  await rm(path, { force: true })
  try {
    const chunks = await readArchivedFile(source, file)
    if (!chunks) {
      await rm(`${path}.partial`, { force: true })
      return 'gone'
    }
    const written = await writeWhole(path, async (copied) => {
      for await (const chunk of chunks) await copied.write(chunk)
    })
    if (written.sha256 === file.sha256) return written.bytes
  } catch (error) {
    await rm(`${path}.partial`, { force: true })
    if (error instanceof ShortFileError) return 'altered'
    if (!(error instanceof StoreAwayError)) throw error
    throw new BackupError(`${error.what} Go on with --resume when it is back.`, { cause: error })
  }
  await rm(path, { force: true })
  return 'altered'
}
