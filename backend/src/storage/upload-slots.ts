import { mkdir, statfs } from 'node:fs/promises'
import { storageErrors } from './errors.ts'
import { LIMITS } from './limits.ts'

/** Number of running uploads, by account or client address. */
export type UploadSlots = Map<string, number>

type UploadRoom = {
  slots: UploadSlots
  freeBytes(directory: string): Promise<number>
  stagingDirectory: string
}

/**
 * Runs an upload within the limits on concurrency and disk space.
 * @throws TooManyRequests, or InsufficientStorage when the disk is nearly full
 */
export async function withUploadSlot<T>(
  { slots, freeBytes, stagingDirectory }: UploadRoom,
  { role, uploader }: { role: string; uploader: string },
  upload: () => Promise<T>,
): Promise<T> {
  const own = slots.get(uploader) ?? 0
  const all = [...slots.values()].reduce((sum, each) => sum + each, 0)
  // A few callers must not take all slots from the others.
  const share = all < LIMITS.uploadsUntilShared ? LIMITS.uploadsPerCaller : 1
  // Trusted servers share one key, so only members and anonymous callers have a share.
  const isOverShare = role !== 'service_role' && own >= share
  if (isOverShare || all >= LIMITS.uploads) throw storageErrors.tooManyUploads()
  slots.set(uploader, own + 1)
  try {
    if ((await freeBytes(stagingDirectory)) < LIMITS.freeDiskBytes) throw storageErrors.diskFull()
    return await upload()
  } finally {
    const left = (slots.get(uploader) ?? 1) - 1
    if (left > 0) slots.set(uploader, left)
    else slots.delete(uploader)
  }
}

/** Free bytes for an unprivileged process on a directory's disk. */
export async function freeBytesIn(directory: string): Promise<number> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
