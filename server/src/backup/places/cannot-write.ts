import { BackupError } from '../archive/errors.ts'

/** What the codes of the operating system mean to a person, after "Cannot write to FOLDER: ". */
const REASONS: Record<string, string> = {
  EROFS: 'its disk is read-only',
  EACCES: 'the user that runs this command has no permission',
  EPERM: 'the system does not permit it',
  ENOENT: 'there is no such folder, and it cannot be made',
  ENOTDIR: 'it, or what it is in, is no folder',
  EEXIST: 'it is no folder',
  EIO: 'its disk reports an error',
}

/** Whether a disk, or what a user may have of it, is full. */
export const isFull = ({ code }: NodeJS.ErrnoException) => code === 'ENOSPC' || code === 'EDQUOT'

/** Why nothing can be written into a folder, in plain words. */
export function cannotWrite(folder: string, cause: NodeJS.ErrnoException): BackupError {
  if (isFull(cause)) return new BackupError(`There is no room left in ${folder}.`, { cause })
  const { code = '', message } = cause
  const reason = REASONS[code]
  return new BackupError(
    `Cannot write to ${folder}: ${reason ? `${reason} (${code})` : message}.`,
    { cause },
  )
}
