// What an export that is under way consists of and how far it is, so that an interrupted one goes on and ends with the
// same bytes as if nothing had happened.
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { BackupError } from '../../backup/archive/errors.ts'
import type { Criteria, Format } from './criteria.ts'
import { sizeOf } from './hashed-file.ts'
import type { Extent } from './selection.ts'

export type ExportState = {
  id: string
  startedAt: string
  by: { system_user: string; machine: string }
  reason: string | null
  criteria: Criteria
  formats: Format[]
  extent: Extent
  /** Records that the export has. */
  count: number
  /** Records that it would have, had they been sealed when it began. */
  unsealed: number
  withFiles: boolean
  records: { seq: string; jsonl: number; csv: number; count: number; isDone: boolean }
  attachments: { sha256: string; ending: string; count: number; isDone: boolean }
  /** `count` of days. */
  conversations: { chat: string; day: string; count: number; records: number; isDone: boolean }
  /** How much of the list of files counts. */
  listed: number
  /** A store that had none of the files: with this one it goes on only because somebody said so. */
  doubtedPlace?: string
}

export type ListedFile = { path: string; sha256: string; bytes: number }
/** One that was never read has no SHA-256. */
export type MissingFile = {
  missing: string
  sha256?: string
  message?: string
  why: 'gone' | 'altered' | 'never there' | 'not read yet'
}

const STATE = 'unfinished.json'
export const LIST = 'unfinished-files.jsonl'
export const UNFINISHED = [STATE, LIST]

export const NO_PROGRESS = {
  records: { seq: '0', jsonl: 0, csv: 0, count: 0, isDone: false },
  attachments: { sha256: '', ending: '', count: 0, isDone: false },
  conversations: { chat: '', day: '', count: 0, records: 0, isDone: false },
  listed: 0,
}

export const newExportId = () => randomUUID()

/** Writes the state at once or not at all. */
async function writeState(folder: string, state: ExportState): Promise<void> {
  const path = join(folder, STATE)
  await writeFile(`${path}.partial`, JSON.stringify(state, null, 2), { mode: 0o600 })
  await rename(`${path}.partial`, path)
}

export const isUnfinished = async (folder: string) => (await sizeOf(join(folder, STATE))) !== null

/** @throws BackupError if there is nothing to go on with */
export async function readState(folder: string): Promise<ExportState> {
  const text = await readFile(join(folder, STATE), 'utf8').catch(() => null)
  if (text === null) throw new BackupError(`${folder} has no unfinished export.`)
  const state = JSON.parse(text) as ExportState
  if (!('search' in state.criteria && 'ending' in state.attachments))
    throw new BackupError(
      `The export in ${folder} was begun by an earlier version: begin a new one.`,
    )
  return state
}

/** Notes what was done; call it once the files it speaks of are written. */
export async function openProgress(folder: string, state: ExportState) {
  const list = join(folder, LIST)
  if (state.listed > 0) await truncate(list, state.listed)
  else await writeFile(list, '', { mode: 0o600 })
  await writeState(folder, state)
  let waiting = ''
  const write = async () => {
    const lines = waiting
    waiting = ''
    await appendFile(list, lines)
    return Buffer.byteLength(lines)
  }
  return {
    state,
    list(file: ListedFile | MissingFile) {
      waiting += `${JSON.stringify(file)}\n`
    },
    async note(change: Partial<ExportState>) {
      Object.assign(state, change, { listed: state.listed + (await write()) })
      await writeState(folder, state)
    },
    /** Writes the list to its end without noting that anything is done. */
    async listForNow() {
      await write()
    },
  }
}

export type ExportProgress = Awaited<ReturnType<typeof openProgress>>

/** Of the files and what is missing, as they were listed. */
export async function* readList(folder: string): AsyncGenerator<ListedFile | MissingFile> {
  for await (const line of createInterface({ input: createReadStream(join(folder, LIST)) }))
    yield JSON.parse(line) as ListedFile | MissingFile
}

export async function removeState(folder: string): Promise<void> {
  for (const name of UNFINISHED) await rm(join(folder, name), { force: true })
}
