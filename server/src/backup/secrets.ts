import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HEADS_FILE } from '../archive/heads-file.ts'

/** Files of `DATA_DIR` that belong into a backup, besides the database and the uploaded files. */
const NAMES = ['keys.json', 'push-keys.json', 'mailbox-secret', HEADS_FILE]

/**
 * Those that are there, by name. Read before the database: a head of the archive that was noted meanwhile would be missing in the
 * backup's archive.
 */
export async function readSecrets(dataDir: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const name of NAMES) {
    const content = await readIfThere(join(dataDir, name))
    if (content) found.set(name, content)
  }
  return found
}

/** Heads of the archive that are noted in the folder already stay: they may be later than the backup's. */
export async function writeSecrets(dataDir: string, secrets: Map<string, Buffer>): Promise<void> {
  for (const [name, content] of secrets) {
    const path = join(dataDir, name)
    if (name === HEADS_FILE && (await readIfThere(path))) continue
    await writeFile(path, content, { mode: 0o600, flush: true })
    await chmod(path, 0o600)
  }
}

/** A backup may come from anywhere; other names are left alone. */
export const isSecret = (name: string) => NAMES.includes(name)

async function readIfThere(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
