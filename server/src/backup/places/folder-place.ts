import { createReadStream, type Stats } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { BackupError } from '../archive/errors.ts'
import { createDiskReserve } from '../disk-reserve.ts'
import { cannotWrite } from './cannot-write.ts'
import { isBackupName, isOfSameInstallation, type NewBackup, type Place } from './place.ts'

const PARTIAL = '.partial'
const OF_DATABASE = ' to the database, which is on the same disk'
const BUFFER_BYTES = 1024 * 1024
/** How often what was written is brought to the disk: gigabytes of it at once would hold up the database. */
const SYNC_BYTES = 64 * 1024 * 1024

export type FolderOptions = {
  /** The installation's own folder. */
  dataDir?: string | null
}

/** Keeps backups in a folder, readable by their owner only. */
export function createFolderPlace(folder: string, { dataDir }: FolderOptions = {}): Place {
  const root = resolve(folder)
  const pathOf = (name: string) => join(root, name)
  return {
    description: root,
    addressOf: pathOf,
    async create(name) {
      await makeFolder(root)
      await removePartials(root, name)
      return createFile(pathOf(name), dataDir ?? null)
    },
    open: (name) => readArchive(pathOf(name)),
    async list() {
      const names = await readdir(root).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        return explain(root)(error)
      })
      return names.filter(isBackupName).sort()
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}

// Only the last folder of the path: the others being missing is a typing mistake, or a disk that is not mounted.
async function makeFolder(path: string) {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new BackupError(`There is no folder ${dirname(path)}.`)
    if (error.code !== 'EEXIST') explain(path)(error)
  })
}

/** @throws BackupError if there is no such file */
export async function* readArchive(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: BUFFER_BYTES })
  try {
    for await (const chunk of file) yield chunk as Buffer
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw new BackupError(
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${message}.`,
      { cause },
    )
  } finally {
    file.destroy()
  }
}

async function createFile(path: string, dataDir: string | null): Promise<NewBackup> {
  const draft = path + PARTIAL
  const folder = dirname(path)
  const sharesDisk = dataDir !== null && (await onSameDisk(folder, dataDir))
  const disk = sharesDisk ? createDiskReserve(folder, OF_DATABASE) : null
  await disk?.check()
  const file = await open(draft, 'wx', 0o600).catch(explain(folder))
  const buffer = Buffer.alloc(BUFFER_BYTES)
  let filled = 0
  let unsynced = 0

  async function flush() {
    await disk?.take(filled)
    await writeAll(file, buffer.subarray(0, filled)).catch(explain(folder))
    unsynced += filled
    filled = 0
    if (unsynced < SYNC_BYTES) return
    await file.datasync().catch(explain(folder))
    unsynced = 0
  }

  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length;) {
        const copied = bytes.copy(buffer, filled, at)
        filled += copied
        at += copied
        if (filled === BUFFER_BYTES) await flush()
      }
    },
    async finish() {
      await flush()
      await file.sync().catch(explain(folder))
      await file.close()
      await rename(draft, path)
      await syncFolder(folder)
    },
    async discard() {
      await file.close().catch(() => undefined)
      await rm(draft, { force: true })
    },
  }
}

async function writeAll(file: FileHandle, bytes: Buffer) {
  for (let at = 0; at < bytes.length;)
    at += (await file.write(bytes, at, bytes.length - at)).bytesWritten
}

async function onSameDisk(one: string, other: string): Promise<boolean> {
  const nothing = () => null
  const [first, second] = await Promise.all([
    stat(one).catch<Stats | null>(nothing),
    stat(other).catch<Stats | null>(nothing),
  ])
  return first !== null && first.dev === second?.dev
}

// What a killed backup left. An installation makes one backup at a time, so none of them is being written.
async function removePartials(folder: string, next: string) {
  for (const name of await readdir(folder)) {
    const isPartial = name.endsWith(PARTIAL) && isOfSameInstallation(basename(name, PARTIAL), next)
    if (isPartial) await rm(join(folder, name), { force: true })
  }
}

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function explain(folder: string) {
  return (cause: NodeJS.ErrnoException): never => {
    throw cannotWrite(folder, cause)
  }
}
