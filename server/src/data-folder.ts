import { constants } from 'node:fs'
import { access, chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from './backup/places/make-folder.ts'
import { SettingsError } from './settings.ts'

/** Private to the owner. When this process is root, Postgres runs as another user, which may only traverse the folder. */
const FOLDER_MODE = process.getuid?.() === 0 ? 0o711 : 0o700

/** Creates the folder, if needed, accessible to its owner only. @throws SettingsError if it cannot be written */
export async function prepareDataDir(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK)
    await makeFolder(join(folder, 'storage'))
    // A folder owned by another user keeps its mode.
    await chmod(join(folder, 'storage'), 0o700).catch(() => undefined)
    await chmod(folder, FOLDER_MODE).catch(() => undefined)
  } catch (cause) {
    throw new SettingsError(`Cannot write to ${folder}: set DATA_DIR to a folder of your own.`, {
      cause,
    })
  }
}
