// A restore that was interrupted must not be mistaken for an installation. It leaves a note in the folder and one in the
// database; both go when it is complete.
import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import type { Header } from '../archive/contents.ts'
import { connect } from '../database/snapshot.ts'
import { SettingsError } from '../../settings.ts'

const FILE = 'restore-unfinished.json'

const UNFINISHED =
  'A restore into this installation was not finished. Run it again with the same backup (npm run restore -- FILE), or ' +
  'use an empty DATA_DIR and database.'

/** The same for each run with the same backup. */
export function archiveId(header: Header): string {
  return createHash('sha256').update(JSON.stringify(header)).digest('hex')
}

export async function isUnfinished(dataDir: string): Promise<boolean> {
  return (await readFile(join(dataDir, FILE)).catch(() => null)) !== null
}

const noteSchema = v.object({
  /** When the backup was made. */
  backup: v.string(),
  archive: v.string(),
  begun: v.string(),
  /** Whether there was nothing in the folder before. */
  wasEmpty: v.boolean(),
})
export type UnfinishedNote = v.InferOutput<typeof noteSchema>

/** Null if there is none, or only its beginning: it is on the disk before anything else is written. */
export async function readUnfinishedNote(dataDir: string): Promise<UnfinishedNote | null> {
  try {
    return v.parse(noteSchema, JSON.parse(await readFile(join(dataDir, FILE), 'utf8')))
  } catch {
    return null
  }
}

export async function noteUnfinished(
  dataDir: string,
  header: Header,
  wasEmpty: boolean,
): Promise<void> {
  const note: UnfinishedNote = {
    backup: header.createdAt,
    archive: archiveId(header),
    begun: new Date().toISOString(),
    wasEmpty,
  }
  await writeFile(join(dataDir, FILE), `${JSON.stringify(note)}\n`, { mode: 0o600, flush: true })
}

export async function noteFinished(dataDir: string): Promise<void> {
  await rm(join(dataDir, FILE), { force: true })
}

/** The archive whose rows are in this database while its files are not; null for a database that is in use, or empty. */
export async function unfinishedArchive(client: GuardedClient): Promise<string | null> {
  const table = await client.query(
    `select where to_regclass('restore_state.unfinished') is not null`,
  )
  if (!table.rowCount) return null
  const { rows } = await client.query<{ archive: string }>(
    'select archive from restore_state.unfinished',
  )
  return rows[0]?.archive ?? ''
}

/** In the transaction that loads the rows. */
export async function noteUnfinishedDatabase(client: GuardedClient, header: Header): Promise<void> {
  await client.query('create schema restore_state')
  await client.query('create table restore_state.unfinished (archive text not null)')
  await client.query('insert into restore_state.unfinished values ($1)', [archiveId(header)])
}

export async function noteFinishedDatabase(client: GuardedClient): Promise<void> {
  await client.query('drop schema if exists restore_state cascade')
}

/** @throws SettingsError if a restore into this folder was interrupted */
export async function refuseUnfinishedFolder(dataDir: string): Promise<void> {
  if (await isUnfinished(dataDir)) throw new SettingsError(UNFINISHED)
}

/** @throws SettingsError if a restore into this database was interrupted */
export async function refuseUnfinishedDatabase(url: string): Promise<void> {
  const client = await connect(url)
  try {
    if ((await unfinishedArchive(client)) !== null) throw new SettingsError(UNFINISHED)
  } finally {
    await client.end()
  }
}
