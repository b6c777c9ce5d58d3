// The sent files that the archive has the SHA-256 of: where their bytes are, and what it means that they cannot be read.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ShortFileError } from 'backend/gateway/open-object-store.ts'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError, StoreAwayError } from '../backup/archive/errors.ts'
import type { Bytes, FileSource } from '../backup/files/file-source.ts'
import { filesOf } from '../backup/installation.ts'
import { isProject } from '../backup/project/check-project.ts'
import { openProjectStorage } from '../backup/project/project-storage.ts'
import { s3Settings } from '../s3-settings.ts'
import type { Settings } from '../settings.ts'

export const BUCKET = 'chat-images'

/** Its path and, unless its row is gone, what the row says of it. */
export type ArchivedFile = { path: string; version: string | null; size: string | null }

export type ArchivedFiles = FileSource & {
  /** Which store it is, without secrets. */
  place: string
  /** What to look at if it has none of the files. */
  advice: string
}

/** What the server stores files under. */
const VERSION = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** So many files that are all gone say more of the store than of the files. */
export const FEW_FILES = 3

/** @param files which were looked for */
export const noneIn = ({ place, advice }: ArchivedFiles, files: string) =>
  `None of ${files} is in ${place}. ${advice}`

/**
 * @returns null for a Supabase project whose address and key the settings do not have
 * @throws BackupError if a project does not respond, or refuses the key
 */
export async function openArchivedFiles(
  client: GuardedClient,
  settings: Settings,
  signal: AbortSignal,
): Promise<ArchivedFiles | null> {
  if (!(await isProject(client))) return installedFiles(settings, signal)
  if (!settings.SUPABASE_URL || !settings.SUPABASE_SECRET_KEY) return null
  const storage = openProjectStorage(settings, signal)
  await storage.check()
  return {
    // Whatever its size: with other bytes it is altered, and not missing.
    read: (file) => storage.files.read({ ...file, size: null }),
    place: `the storage of the project at ${withoutSecrets(storage.url)}`,
    advice: 'Check that SUPABASE_URL is the address of the project that DATABASE_URL names.',
  }
}

/** Those of an installation. */
export function installedFiles(settings: Settings, signal?: AbortSignal): ArchivedFiles {
  const s3 = s3Settings(settings)
  const files = filesOf(settings, signal)
  if (!s3) return filesInFolder(join(settings.DATA_DIR, 'storage'), files)
  return {
    ...files,
    place: `the bucket ${s3.bucket} at ${withoutSecrets(s3.endpoint)}`,
    advice: 'Check that S3_ENDPOINT and S3_BUCKET are those of the server.',
  }
}

function filesInFolder(folder: string, files: FileSource): ArchivedFiles {
  const objects = join(folder, 'objects')
  const advice =
    'Check that DATA_DIR is that of the server, and set S3_ENDPOINT and S3_BUCKET, with their keys, if the server has them.'
  return {
    async read(file) {
      // A forged row: there is no file that it could mean.
      const bytes = VERSION.test(file.version) ? await files.read(file) : null
      // Without its folder, as when a disk is not mounted, the store says nothing of the file.
      if (!bytes && !existsSync(objects))
        throw new StoreAwayError(
          `The file store cannot be reached: there is no folder ${objects}. ${advice}`,
        )
      return bytes
    },
    place: `the folder ${folder}`,
    advice,
  }
}

function withoutSecrets(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`.replace(/\/+$/, '')
}

/**
 * @returns null when it is not there
 * @throws ShortFileError, also later, when a part of it is not; StoreAwayError when nobody can know
 */
export async function readArchivedFile(
  source: FileSource,
  { path: name, version, size }: ArchivedFile,
): Promise<AsyncIterable<Uint8Array> | null> {
  if (version === null) return null
  const file = { bucket: BUCKET, name, version, size: size === null ? null : Number(size) }
  const bytes = await source.read(file).catch(explain)
  return bytes && chunksOf(bytes)
}

async function* chunksOf(bytes: Bytes) {
  try {
    if (bytes instanceof Uint8Array) yield bytes
    else yield* bytes
  } catch (error) {
    explain(error)
  }
}

function explain(error: unknown): never {
  if (error instanceof ShortFileError || error instanceof BackupError) throw error
  throw new StoreAwayError(`The file store cannot be read: ${innermost(error).message}.`, {
    cause: error,
  })
}

// What `fetch` and the store themselves say is that something failed.
function innermost(error: unknown): Error {
  const { cause } = error as Error
  return cause instanceof Error ? innermost(cause) : (error as Error)
}
