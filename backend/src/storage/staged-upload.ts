import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { storageErrors } from './errors.ts'
import { SNIFFED_BYTES } from './sniff-content-type.ts'

/** A completely received upload in a temporary file. */
export type StagedUpload = { path: string; size: number; head: Uint8Array }

export type StagingOptions = {
  /** On the same file system as the file store, so that storing a staged upload is a rename. */
  directory: string
  /** A random id, never chosen by a client. */
  id: string
  limit: number
}

/**
 * Writes the source to a temporary file, and deletes it when the client disconnects or exceeds the limit.
 * @throws EntityTooLarge as soon as the limit is exceeded, without reading on
 */
export async function stageUpload(
  source: AsyncIterable<Uint8Array>,
  { directory, id, limit }: StagingOptions,
): Promise<StagedUpload> {
  await mkdir(directory, { recursive: true })
  const path = join(directory, id)
  const file = await open(path, 'wx', 0o600)
  try {
    const written = await writeAll(file, source, limit)
    await file.sync()
    await file.close()
    return { path, ...written }
  } catch (error) {
    await file.close().catch(() => undefined)
    await discardStagedUpload({ path })
    throw isDiskFull(error) ? storageErrors.diskFull() : error
  }
}

const isDiskFull = (error: unknown) =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Deletes a staged upload; no-op if it was already stored. */
export async function discardStagedUpload({ path }: Pick<StagedUpload, 'path'>): Promise<void> {
  await rm(path, { force: true })
}

async function writeAll(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ size: number; head: Uint8Array }> {
  const head = Buffer.alloc(SNIFFED_BYTES)
  let size = 0
  for await (const chunk of source) {
    if (size + chunk.byteLength > limit) throw storageErrors.tooLarge()
    if (size < SNIFFED_BYTES) head.set(chunk.subarray(0, SNIFFED_BYTES - size), size)
    await file.writev([chunk])
    size += chunk.byteLength
  }
  return { size, head: head.subarray(0, Math.min(size, SNIFFED_BYTES)) }
}
