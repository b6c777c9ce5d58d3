import { ShortFileError } from 'backend/gateway/open-object-store.ts'
import { BackupError } from '../archive/errors.ts'
import type { StoredFile } from './stored-files.ts'

export type Bytes = Uint8Array | AsyncIterable<Uint8Array>

/** Where uploaded files are read from. */
export type FileSource = {
  /** Null when it is not there. @throws ShortFileError, also later, when a part of it is not */
  read(file: StoredFile): Promise<Bytes | null>
}

export type OpenedFile = { file: StoredFile; size: number; body: AsyncIterable<Uint8Array> | null }

/** Files up to this size are read in advance, so that the distance to a remote store is not paid for each. */
const MAX_EAGER_BYTES = 2 * 1024 * 1024
const AHEAD = 6

/** Opens files in their order, some ahead of the one in use. */
export async function* openFiles(
  files: AsyncIterable<StoredFile>,
  source: FileSource,
): AsyncGenerator<OpenedFile> {
  const opening: (() => Promise<OpenedFile>)[] = []
  for await (const file of files) {
    opening.push(openSoon(file, source))
    if (opening.length > AHEAD) yield await (opening.shift() as () => Promise<OpenedFile>)()
  }
  for (const next of opening) yield await next()
}

function openSoon(file: StoredFile, source: FileSource): () => Promise<OpenedFile> {
  if (file.size !== null && file.size > MAX_EAGER_BYTES) return () => open(file, source)
  const opened = open(file, source)
  opened.catch(() => undefined)
  return () => opened
}

async function open(file: StoredFile, source: FileSource): Promise<OpenedFile> {
  const bytes = await source.read(file).catch(nullIfShort)
  if (bytes === null) return { file, size: 0, body: null }
  if (file.size !== null && file.size > MAX_EAGER_BYTES)
    return { file, size: file.size, body: iterate(bytes) }
  const chunks: Uint8Array[] = []
  for await (const chunk of iterate(bytes)) chunks.push(chunk)
  const whole = Buffer.concat(chunks)
  if (file.size !== null && whole.length < file.size) return { file, size: 0, body: null }
  return { file, size: file.size ?? whole.length, body: iterate(whole) }
}

// One file that was damaged on the disk must not prevent every backup of the others.
function nullIfShort(error: unknown): null {
  if (error instanceof ShortFileError) return null
  throw error
}

async function* iterate(bytes: Bytes): AsyncGenerator<Uint8Array> {
  try {
    if (bytes instanceof Uint8Array) yield bytes
    else yield* bytes
  } catch (error) {
    nullIfShort(isCutOff(error) ? cutOff(error) : error)
  }
}

// What `fetch` says of a connection that breaks off in the middle of a body, and all it says.
const isCutOff = (error: unknown) => error instanceof TypeError && error.message === 'terminated'
const cutOff = (cause: unknown) =>
  new BackupError('The connection to the file store broke off.', { cause })
