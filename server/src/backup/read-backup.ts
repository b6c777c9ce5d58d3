import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { ByteSource } from './archive/byte-sink.ts'
import {
  FORMAT,
  LISTED_FILES,
  MAX_JSON_BYTES,
  MAX_PART_BYTES,
  NAMES,
  parseFileList,
  parseHeader,
  parseManifest,
  parseTables,
  type FileRecord,
  type Header,
  type Manifest,
  type Tables,
} from './archive/contents.ts'
import { ArchiveDamagedError, BackupError, NoBackupError } from './archive/errors.ts'
import { requireBackup } from './archive/require-backup.ts'
import { readBody, readTar, type TarEntry } from './archive/tar-reader.ts'
import { unseal } from './archive/unseal.ts'

/** A list follows a thousand whole files; those that were gone or changed while they were read come on top. */
const MOST_UNLISTED = 10 * LISTED_FILES

const decompress = promisify<Buffer, object, Buffer>(gunzip)

/** Receives the parts of an archive in their order; whatever it rejects ends the reading. */
export type Receiver = {
  header(header: Header): Promise<void>
  secret(name: string, content: Buffer): Promise<void>
  /** Whole rows of a table. */
  rows(table: string, rows: Buffer): Promise<void>
  /** After all rows, before all files. */
  tables(tables: Tables): Promise<void>
  file(version: string, size: number, body: ByteSource): Promise<void>
  /** A file received before is not what was uploaded, and has to go. */
  withdraw(version: string): Promise<void>
}

/**
 * The receiver hears nothing before the passphrase has opened the archive.
 * @throws NoBackupError if it is something else; ArchiveDamagedError when anything is missing, in excess or different from what was
 * written
 */
export async function readBackup(
  source: ByteSource,
  passphrase: string | undefined,
  receiver: Receiver,
): Promise<{ header: Header; manifest: Manifest }> {
  const files = createFileCheck(receiver)
  let header: Header | null = null
  let tables: Tables | null = null
  let manifest: Manifest | null = null
  for await (const entry of readTar(unseal(requireBackup(source), passphrase))) {
    const { name } = entry
    if (name === NAMES.header && !header) {
      header = parseHeader(await readBody(entry, MAX_JSON_BYTES))
      refuseNewerFormat(header)
      await receiver.header(header)
    } else if (!header) throw new NoBackupError()
    else if (name.startsWith(NAMES.secrets))
      await receiver.secret(name.slice(NAMES.secrets.length), await readBody(entry, MAX_JSON_BYTES))
    else if (name.startsWith(NAMES.data)) await receiver.rows(tableOf(name), await rowsOf(entry))
    else if (name === NAMES.tables) {
      tables = parseTables(await readBody(entry, MAX_JSON_BYTES))
      await receiver.tables(tables)
    } else if (name.startsWith(NAMES.files)) await files.receive(entry)
    else if (name.startsWith(NAMES.fileList))
      await files.compare(await readBody(entry, MAX_JSON_BYTES))
    else if (name === NAMES.manifest)
      manifest = parseManifest(await readBody(entry, MAX_JSON_BYTES))
    else throw new ArchiveDamagedError(`it has an unknown entry ${name}`)
  }
  if (!header || !tables || !manifest) throw new ArchiveDamagedError('it ends in the middle')
  await files.conclude(manifest.files)
  return { header, manifest }
}

/** Ends with the signal's reason as soon as it is aborted. */
export async function* interruptible(
  source: ByteSource,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void> {
  for await (const chunk of source) {
    signal?.throwIfAborted()
    yield chunk
  }
}

function refuseNewerFormat({ format, product, version }: Header) {
  if (format > FORMAT) throw new BackupError(laterVersion(product, version))
}

export const laterVersion = (product: string, version: string) =>
  `This backup was made by a later version, ${product} ${version}. Update first, then restore it. Nothing was changed.`

const tableOf = (name: string) => name.slice(NAMES.data.length, name.lastIndexOf('/'))

async function rowsOf(entry: TarEntry): Promise<Buffer> {
  const compressed = await readBody(entry, MAX_PART_BYTES)
  try {
    return await decompress(compressed, { maxOutputLength: MAX_PART_BYTES })
  } catch {
    throw new ArchiveDamagedError(`${entry.name} was changed`)
  }
}

function createFileCheck({ file, withdraw }: Pick<Receiver, 'file' | 'withdraw'>) {
  const unlisted = new Map<string, { size: number; sha256: string }>()
  const all = createHash('sha256')
  let count = 0

  return {
    async receive({ name, size, body }: TarEntry) {
      const version = name.slice(NAMES.files.length)
      const hash = createHash('sha256')
      const hashed = (async function* () {
        for await (const chunk of body) {
          hash.update(chunk)
          yield chunk
        }
      })()
      await file(version, size, hashed)
      if (unlisted.size >= MOST_UNLISTED) throw new ArchiveDamagedError('its files are not listed')
      unlisted.set(version, { size, sha256: hash.digest('hex') })
    },
    async compare(list: Buffer) {
      all.update(list)
      for (const expected of parseFileList(list)) compareFile(expected, unlisted)
      count += list.toString().split('\n').length - 1
      // What was not whole when the backup was made is not in the list.
      for (const version of unlisted.keys()) await withdraw(version)
      unlisted.clear()
    },
    async conclude(expected: Manifest['files']) {
      for (const version of unlisted.keys()) await withdraw(version)
      if (count !== expected.count || all.digest('hex') !== expected.sha256)
        throw new ArchiveDamagedError('files are missing')
    },
  }
}

function compareFile(
  { version, size, sha256 }: FileRecord,
  received: Map<string, { size: number; sha256: string }>,
) {
  const found = received.get(version)
  if (!found) throw new ArchiveDamagedError(`the file ${version} is missing`)
  if (found.size !== size || found.sha256 !== sha256)
    throw new ArchiveDamagedError(`the file ${version} was changed`)
  received.delete(version)
}
