import { constants, setPriority } from 'node:os'
import { BackupError } from '../archive/errors.ts'
import type { CommandContext } from '../commands.ts'
import { removeOldest } from '../keep-newest.ts'
import { backUpInstallation } from '../make-backup.ts'
import { openPlace } from '../places/open-place.ts'
import { silent } from '../progress.ts'
import { verifyBackup } from '../verify-backup.ts'
import type { NightlyResult } from './backup-process.ts'

/**
 * Makes a backup where BACKUP_TO says, verifies it and removes the oldest ones; prints a NightlyResult. One that turns out to be bad is
 * removed: it must not push out a good one.
 */
export async function nightlyCommand(
  _args: string[],
  { settings, signal, print }: CommandContext,
): Promise<void> {
  if (!settings.BACKUP_TO) throw new BackupError('BACKUP_TO is not set.')
  // The temporary Postgres inherits it.
  setPriority(constants.priority.PRIORITY_LOW)
  const place = openPlace(settings.BACKUP_TO, settings, signal)
  const { name, address, bytes } = await backUpInstallation(settings, place, {
    progress: silent,
    signal,
  })
  const passphrase = settings.BACKUP_PASSPHRASE
  try {
    const { manifest } = await verifyBackup(place.open(name), {
      passphrase,
      progress: silent,
      signal,
    })
    await removeOldest(place, settings.BACKUP_KEEP, name)
    const result: NightlyResult = {
      address,
      bytes,
      row_count: manifest.rows,
      file_count: manifest.files.count,
      missing_files: manifest.files.missing.length,
    }
    print(JSON.stringify(result))
  } catch (error) {
    await place.remove(name).catch(() => undefined)
    throw error
  }
}
