import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectStore } from 'backend/gateway/open-object-store.ts'
import type { ByteSource } from '../archive/byte-sink.ts'
import { BackupError } from '../archive/errors.ts'

const VERSION = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Files up to this size are stored several at a time: each waits for the disk, or for a remote store. */
const MAX_SMALL_BYTES = 2 * 1024 * 1024
const AT_ONCE = 8

/** Stores restored files under the versions that their rows name. */
export function createFileWriter(store: ObjectStore, stagingDirectory: string) {
  const storing = new Set<Promise<void>>()
  let failure: Error | null = null

  async function storeOne(version: string, body: ByteSource | Buffer[]) {
    const path = join(stagingDirectory, version)
    const size = await stage(path, body)
    await store.put({ path, size, head: new Uint8Array() }, version)
  }

  return {
    async store(version: string, size: number, body: ByteSource): Promise<void> {
      // Part of a path; the archive may come from anywhere.
      if (!VERSION.test(version))
        throw new BackupError('This backup has a file without a valid name.')
      if (failure) throw failure
      if (size > MAX_SMALL_BYTES) return storeOne(version, body)
      const chunks: Buffer[] = []
      // Copied, because the reader uses its buffers again.
      for await (const chunk of body) chunks.push(Buffer.from(chunk))
      const task: Promise<void> = storeOne(version, chunks)
        .catch((error: Error) => void (failure ??= error))
        .finally(() => storing.delete(task))
      storing.add(task)
      if (storing.size >= AT_ONCE) await Promise.race(storing)
    },
    withdraw: async (version: string) => {
      await Promise.all(storing)
      await store.remove([version])
    },
    /** @throws what a file stored in the background failed with */
    async finish(): Promise<void> {
      await Promise.all(storing)
      if (failure) throw failure
    },
    prepare: () => mkdir(stagingDirectory, { recursive: true, mode: 0o700 }),
  }
}

async function stage(path: string, body: ByteSource | Buffer[]): Promise<number> {
  const file = await open(path, 'w', 0o600)
  let size = 0
  try {
    for await (const chunk of body) size += (await file.writev([chunk])).bytesWritten
    await file.sync()
    return size
  } finally {
    await file.close()
  }
}
