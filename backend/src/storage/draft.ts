import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { storageErrors } from './errors.ts'
import { SNIFFED_BYTES } from './sniff-content-type.ts'

/** Bytes that have arrived whole, in a file nobody else knows of. */
export type Draft = { path: string; size: number; head: Uint8Array }

export type DraftRoom = {
  /** Where drafts lie; on the same file system as the file store, so that keeping one is a rename. */
  directory: string
  /** A random id, never anything a client sent. */
  id: string
  limit: number
}

/**
 * Writes what arrives to a draft file, and removes it again when the sender gives up or sends too much.
 * @throws EntityTooLarge as soon as the limit is passed, without reading on.
 */
export async function receiveDraft(
  source: AsyncIterable<Uint8Array>,
  { directory, id, limit }: DraftRoom,
): Promise<Draft> {
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
    await discardDraft({ path })
    throw error
  }
}

/** Removes a draft that is not wanted any more; one that was kept is already gone. */
export async function discardDraft({ path }: Pick<Draft, 'path'>): Promise<void> {
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
