import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Settings } from '../settings.ts'

export type Disk = { free_bytes: number; bytes: number; is_writable?: false }
/** Null: the folder cannot be reached. */
export type DiskFacts = { data?: Disk; backup?: Disk | null; backup_shares_disk?: true }

/** The disks of DATA_DIR and, if it is another one or cannot be written to, of the folder BACKUP_TO; a bucket has none. */
export async function diskFacts({
  DATA_DIR,
  BACKUP_TO,
}: Pick<Settings, 'DATA_DIR' | 'BACKUP_TO'>): Promise<DiskFacts> {
  const data = await look(DATA_DIR)
  const facts: DiskFacts = data ? { data: data.disk } : {}
  if (!BACKUP_TO || BACKUP_TO.startsWith('s3://')) return facts
  // The first backup makes the folder, in one that is there.
  const backup = (await look(BACKUP_TO)) ?? (await look(dirname(BACKUP_TO)))
  if (!backup) return { ...facts, backup: null }
  if (!backup.isWritable) return { ...facts, backup: { ...backup.disk, is_writable: false } }
  if (backup.device === data?.device) return { ...facts, backup_shares_disk: true }
  return { ...facts, backup: backup.disk }
}

async function look(folder: string) {
  try {
    const [{ bavail, blocks, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)])
    const isWritable = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    )
    return {
      disk: { free_bytes: bavail * bsize, bytes: blocks * bsize },
      device: dev,
      isWritable,
    }
  } catch {
    return null
  }
}
