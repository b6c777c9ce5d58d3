import { join } from 'node:path'
import { BackupError } from './archive/errors.ts'
import { removeOldest } from './keep-newest.ts'
import { backUpInstallation } from './make-backup.ts'
import { createFolderPlace } from './places/folder-place.ts'
import { silent } from './progress.ts'
import type { Settings } from '../settings.ts'

const KEPT = 3

/**
 * Backs up the database and the keys into `DATA_DIR/backups`. Files are left out: an update changes none.
 * @returns the path @throws BackupError, before anything was changed
 */
export async function backUpBeforeUpdate(settings: Settings): Promise<string> {
  const place = createFolderPlace(join(settings.DATA_DIR, 'backups'), {
    dataDir: settings.DATA_DIR,
  })
  try {
    const made = await backUpInstallation(settings, place, { progress: silent, withFiles: false })
    await removeOldest(place, KEPT, made.name)
    return made.address
  } catch (cause) {
    throw new BackupError(
      `The backup before the update failed, so nothing was changed. ${(cause as Error).message}`,
      { cause },
    )
  }
}
