import { statfs } from 'node:fs/promises'
import { BackupError } from './archive/errors.ts'

const CHECK_BYTES = 64 * 1024 * 1024
/** A full disk stops what else writes to it, a database above all. */
const RESERVE_BYTES = 512 * 1024 * 1024

/** Before more is written to the disk of a folder: is there room for it? */
export type DiskReserve = {
  /** @throws BackupError when less than 512 MB are free */
  check(): Promise<void>
  /** Counts what is about to be written, and checks every 64 MiB. */
  take(bytes: number): Promise<void>
}

/** @param ofWhom completes "less than 512 MB would be left …" */
export function createDiskReserve(folder: string, ofWhom = ''): DiskReserve {
  let unchecked = 0
  async function check() {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize >= RESERVE_BYTES) return
    throw new BackupError(
      `There is too little room in ${folder}: less than 512 MB would be left${ofWhom}.`,
    )
  }
  return {
    check,
    async take(bytes) {
      unchecked += bytes
      if (unchecked < CHECK_BYTES) return
      unchecked = 0
      await check()
    },
  }
}
