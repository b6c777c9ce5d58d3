import { ArchiveDamagedError, BackupError, withoutRows } from '../archive/errors.ts'
import { cannotWrite, isFull } from '../places/cannot-write.ts'

export type BegunRestore = {
  dataDir: string
  /** Whether there was nothing in the folder before. */
  wasEmpty: boolean
  /** Whether the database is in the folder. */
  hasDatabase: boolean
}

/** Why a restore ended in the middle, and what a person does with the half that is there. */
export function withNextStep(cause: unknown, begun: BegunRestore): BackupError {
  const anew = toBeginAnew(begun)
  const next =
    cause instanceof ArchiveDamagedError
      ? `First ${anew}.`
      : `Run the same command again to go on, or ${anew} to begin anew.`
  return new BackupError(`${sentence(cause, begun)} ${next}`, { cause })
}

// What was in the folder before must stay.
function toBeginAnew({ dataDir, wasEmpty, hasDatabase }: BegunRestore): string {
  const folder = wasEmpty ? `delete ${dataDir}` : 'set DATA_DIR to a new folder'
  return hasDatabase ? folder : `${folder} and take an empty database`
}

function sentence(cause: unknown, { dataDir }: BegunRestore): string {
  const error = cause as NodeJS.ErrnoException
  if (error instanceof BackupError) return error.message
  if (isFull(error)) return cannotWrite(dataDir, error).message
  return `The restore failed: ${(withoutRows(error) ?? error.message).replace(/\.?\s*$/, '')}.`
}
