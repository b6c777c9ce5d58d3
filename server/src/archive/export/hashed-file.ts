// A file that is written once, front to back, and hashed on the way.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, stat, truncate } from 'node:fs/promises'

export type Written = { sha256: string; bytes: number }

const BUFFER_BYTES = 256 * 1024

/**
 * @param keep how much of it is there already and stays, after an interruption
 * @throws if less is there
 */
export async function openHashedFile(path: string, keep = 0) {
  const hash = createHash('sha256')
  if (keep > 0) {
    await truncate(path, keep)
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  }
  const file = await open(path, keep > 0 ? 'a' : 'w', 0o600)
  let bytes = keep
  let waiting: Buffer[] = []
  let waitingBytes = 0

  async function flush() {
    const all = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    hash.update(all)
    for (let at = 0; at < all.length;) at += (await file.write(all, at)).bytesWritten
  }

  return {
    async write(data: string | Uint8Array) {
      const buffer = typeof data === 'string' ? Buffer.from(data) : Buffer.from(data)
      waiting.push(buffer)
      waitingBytes += buffer.length
      bytes += buffer.length
      if (waitingBytes >= BUFFER_BYTES) await flush()
    },
    /** @returns how long the file is */
    async flushed(): Promise<number> {
      await flush()
      return bytes
    },
    async close(): Promise<Written> {
      await flush()
      await file.sync()
      await file.close()
      return { sha256: hash.digest('hex'), bytes }
    },
    /** Without its end: the export was stopped. */
    abandon: () => file.close().catch(() => undefined),
  }
}

export type HashedFile = Awaited<ReturnType<typeof openHashedFile>>

/** Writes a whole file that appears under its name once it is complete. */
export async function writeWhole(
  path: string,
  fill: (file: HashedFile) => Promise<void>,
): Promise<Written> {
  const partial = `${path}.partial`
  const file = await openHashedFile(partial)
  try {
    await fill(file)
    const written = await file.close()
    await rename(partial, path)
    return written
  } catch (error) {
    await file.abandon()
    throw error
  }
}

export const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )
