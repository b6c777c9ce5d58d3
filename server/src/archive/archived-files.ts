// The sent files that the archive has the SHA-256 of: where their bytes are, and what it means that they cannot be read.
import { ShortFileError } from 'backend/gateway/open-object-store.ts'
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { BackupError, StoreAwayError } from '../backup/archive/errors.ts'
import type { Bytes, FileSource } from '../backup/files/file-source.ts'
import { filesOf } from '../backup/installation.ts'
import { isProject } from '../backup/project/check-project.ts'
import { openProjectStorage } from '../backup/project/project-storage.ts'
import type { Settings } from '../settings.ts'

export const BUCKET = 'chat-images'

/** Its path and, unless its row is gone, what the row says of it. */
export type ArchivedFile = { path: string; version: string | null; size: string | null }

/**
 * @returns null for a Supabase project whose address and key the settings do not have
 * @throws BackupError if a project does not respond, or refuses the key
 */
export async function openArchivedFiles(
  client: GuardedClient,
  settings: Settings,
  signal: AbortSignal,
): Promise<FileSource | null> {
  if (!(await isProject(client))) return filesOf(settings, signal)
  if (!settings.SUPABASE_URL || !settings.SUPABASE_SECRET_KEY) return null
  const storage = openProjectStorage(settings, signal)
  await storage.check()
  return storage.files
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
