import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { cannotWrite } from './cannot-write.ts'

/**
 * Makes a folder, and those it is in, for its owner only. Each is tried twice at most: with `recursive`, Node tries forever where the
 * system denies that a folder exists which it refuses to make, as in /proc.
 * @throws BackupError that says why it cannot be made
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await make(resolve(folder))
  } catch (cause) {
    throw cannotWrite(folder, cause as NodeJS.ErrnoException)
  }
}

async function make(path: string): Promise<void> {
  if (await isFolder(path)) return
  try {
    await makeOne(path)
  } catch (error) {
    const isInNone = (error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(path) !== path
    if (!isInNone) throw error
    await make(dirname(path))
    await makeOne(path)
  }
}

// Somebody else may make it in the same moment.
async function makeOne(path: string) {
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    if (!(await isFolder(path))) throw error
  })
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
