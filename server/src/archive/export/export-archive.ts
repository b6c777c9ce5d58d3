// An export of the archive into a folder: everything in it is determined when it begins, the manifest comes last, and the
// archive itself says that it began and what was made.
import { readdir, readFile, rename } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError } from '../../backup/archive/errors.ts'
import { makeFolder } from '../../backup/places/make-folder.ts'
import { projectFiles } from '../../project-files.ts'
import type { ArchivedFiles } from '../archived-files.ts'
import { readCriteria, type Format, type TypedCriteria } from './criteria.ts'
import {
  newExportId,
  NO_PROGRESS,
  openProgress,
  readList,
  readState,
  removeState,
  type ExportState,
  type MissingFile,
} from './export-state.ts'
import { sizeOf, writeWhole } from './hashed-file.ts'
import { countUnsealed, prepareSelection, sealedExtent, select } from './selection.ts'
import { writeAttachments } from './write-attachments.ts'
import { writeConversations } from './write-conversations.ts'
import { MANIFEST, UNNAMED_MANIFEST, writeManifest } from './write-manifest.ts'
import { writeRecords } from './write-records.ts'
import { SEALS, writeSeals } from './write-seals.ts'

export const VERIFY = 'verify-export.mjs'

export type ExportTally = {
  selected(records: number): void
  records(count: number): void
  conversations(records: number): void
  files(count: number): void
}

export type Exported = {
  state: ExportState
  manifestHash: string
  /** How many files are not in it that should be, by why. */
  missing: Record<MissingFile['why'], number>
}

type Dependencies = { folder: string; files: ArchivedFiles | null; tally: ExportTally }

/** @throws BackupError for a folder with something in it, and for criteria that cannot be meant */
export async function beginExport(
  client: GuardedClient,
  dependencies: Dependencies,
  wanted: { criteria: TypedCriteria; formats: Format[]; reason: string | null },
): Promise<Exported> {
  const { folder, files } = dependencies
  const { criteria, reason } = await readCriteria(client, wanted.criteria)
  await makeFolder(folder)
  const there = await readdir(folder)
  if (there.includes('unfinished.json'))
    throw new BackupError(`${folder} has an unfinished export: go on with it by --resume.`)
  if (there.length > 0) throw new BackupError(`${folder} is not empty: name another folder.`)
  const begun = {
    id: newExportId(),
    by: { system_user: userInfo().username, machine: hostname() },
    reason: wanted.reason ?? reason,
    criteria,
    formats: wanted.formats,
  }
  // What is read is read whether the export ends or not.
  await record(client, 'export.began', begun)
  const extent = await sealedExtent(client)
  if (!extent) throw new BackupError('Nothing is sealed yet. Does the server run?')
  const state: ExportState = {
    ...begun,
    startedAt: new Date().toISOString(),
    extent,
    count: -1,
    unsealed: -1,
    withFiles: files !== null,
    ...structuredClone(NO_PROGRESS),
  }
  return writeAll(client, dependencies, state)
}

/** Goes on with an interrupted export, by what it was begun with. */
export async function resumeExport(
  client: GuardedClient,
  dependencies: Dependencies,
): Promise<Exported> {
  const state = await readState(dependencies.folder)
  if (state.withFiles && !dependencies.files)
    throw new BackupError(
      'This export was begun with files: set SUPABASE_URL and SUPABASE_SECRET_KEY of the project to go on.',
    )
  const files = state.withFiles ? dependencies.files : null
  return writeAll(client, { ...dependencies, files }, state)
}

async function writeAll(
  client: GuardedClient,
  { folder, files, tally }: Dependencies,
  state: ExportState,
): Promise<Exported> {
  const path = (name: string) => join(folder, name)
  const { rowCount } = await client.query('select where pg_try_advisory_lock(hashtext($1))', [
    state.id,
  ])
  if (!rowCount)
    throw new BackupError(
      'This export is under way already. If it was stopped just now, try again in a minute.',
    )
  const progress = await openProgress(folder, state)
  if ((await sizeOf(path(MANIFEST))) === null) {
    await prepareSelection(client)
    await client.query('set cursor_tuple_fraction = 1')
    await client.query('begin transaction isolation level repeatable read read only')
    try {
      await checkExtent(client, state)
      const count = await select(client, state.criteria, state.extent)
      if (state.count < 0)
        await progress.note({
          count,
          unsealed: await countUnsealed(client, state.criteria, state.extent),
        })
      else if (state.count !== count)
        throw new BackupError('Records have expired since this export began: begin a new one.')
      tally.selected(count)
      await writeRecords(client, folder, progress, tally.records)
      if (files) await writeAttachments(client, folder, files, progress, tally.files)
      await writeConversations(client, folder, progress, tally.conversations)
      if (state.formats.includes('jsonl'))
        progress.list({ path: SEALS, ...(await writeSeals(client, folder, state.extent)) })
    } finally {
      await client.query('rollback')
    }
    const program = await readFile(projectFiles.verifyExport)
    progress.list({
      path: VERIFY,
      ...(await writeWhole(path(VERIFY), (file) => file.write(program))),
    })
    // Not noted as done: if it is stopped from here on, the seals and the program are written and listed again.
    await progress.listForNow()
    const { sha256: manifestHash, bytes } = await writeManifest(folder, state)
    await recordOnce(client, state, manifestHash, bytes)
    await rename(path(UNNAMED_MANIFEST), path(MANIFEST))
  }
  const manifestHash = await recordedHash(client, state)
  const missing = { gone: 0, altered: 0, 'never there': 0, 'not read yet': 0 }
  for await (const listed of readList(folder)) if ('missing' in listed) missing[listed.why]++
  await removeState(folder)
  return { state, manifestHash: manifestHash ?? '', missing }
}

/** The chain that the export began with is still that of this database. */
async function checkExtent(client: GuardedClient, { extent }: ExportState) {
  const { rowCount } = await client.query(
    `select from archive.seals s where s.number = $1 and encode(s.hash, 'hex') = $2`,
    [extent.seal, extent.hash],
  )
  if (!rowCount)
    throw new BackupError('This database does not have the seal that the export was begun with.')
}

async function recordOnce(
  client: GuardedClient,
  state: ExportState,
  manifestHash: string,
  bytes: number,
) {
  if ((await recordedHash(client, state)) !== null) return
  const { id, by, reason, criteria, formats, count, extent } = state
  await record(client, 'export.made', {
    ...{ id, by, reason, criteria, formats, records: count, to_seal: extent.seal },
    manifest: { sha256: manifestHash, bytes },
  })
}

async function recordedHash(client: GuardedClient, { id, extent }: ExportState) {
  const { rows } = await client.query<{ hash: string }>(
    `select r.content -> 'manifest' ->> 'sha256' as hash from archive.records r
     where r.seq > $1 and r.kind = 'export.made' and r.content ->> 'id' = $2`,
    [extent.toSeq, id],
  )
  return rows[0]?.hash ?? null
}

async function record(client: GuardedClient, kind: string, content: object) {
  await client.query('select archive.record($1, $2::json)', [kind, JSON.stringify(content)])
}
