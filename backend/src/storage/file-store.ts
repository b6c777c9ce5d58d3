import { link, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { ByteRange } from './byte-range.ts'
import { ShortFileError, type ObjectStore } from './object-store.ts'

/** Up to this size a range is read in one piece, and its handle closed immediately. */
const MAX_BUFFERED_BYTES = 256 * 1024
const CHUNK_BYTES = 64 * 1024
const VERSION = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Stores files under random version ids in 256 folders; no client-chosen name is ever part of a path. */
export function createFileStore(directory: string): ObjectStore {
  const folderOf = (version: string) => join(directory, 'objects', version.slice(0, 2))
  const pathOf = (version: string) => {
    // Last line of defense: the version comes from the database, where a forged row could contain anything.
    if (!VERSION.test(version)) throw new Error(`not a version id: ${version}`)
    return join(folderOf(version), version)
  }

  return {
    async put(staged, version) {
      const path = pathOf(version)
      await mkdir(folderOf(version), { recursive: true })
      await rename(staged.path, path)
      await syncFolder(folderOf(version))
    },
    async read(version, size, range) {
      const file = await open(pathOf(version), 'r').catch(nullIfMissing)
      return file && readRange(file, range ?? { start: 0, end: size - 1 })
    },
    async copy(from, to) {
      const path = pathOf(to)
      await mkdir(folderOf(to), { recursive: true })
      const linked = await link(pathOf(from), path).then(() => true, nullIfMissing)
      if (linked) await syncFolder(folderOf(to))
      return linked ?? false
    },
    async remove(versions) {
      await Promise.all(versions.map((version) => rm(pathOf(version), { force: true })))
    },
  }
}

async function readRange(file: FileHandle, { start, end }: ByteRange) {
  const length = end - start + 1
  if (length > MAX_BUFFERED_BYTES) return streamRange(file, start, end)
  try {
    const bytes = new Uint8Array(length)
    const { bytesRead } = await file.read(bytes, 0, length, start)
    if (bytesRead < length) throw new ShortFileError()
    return bytes
  } finally {
    await file.close()
  }
}

function streamRange(file: FileHandle, start: number, end: number): ReadableStream<Uint8Array> {
  let position = start
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const wanted = new Uint8Array(Math.min(CHUNK_BYTES, end - position + 1))
          const { bytesRead } = await file.read(wanted, 0, wanted.length, position)
          if (bytesRead === 0) throw new ShortFileError()
          position += bytesRead
          controller.enqueue(wanted.subarray(0, bytesRead))
          if (position <= end) return
          await file.close()
          controller.close()
        } catch (error) {
          await file.close().catch(() => undefined)
          throw error
        }
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 1 },
  )
}

// Without this, a crash could lose the directory entry although the bytes are on disk.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
