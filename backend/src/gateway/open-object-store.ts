import { createFileStore } from '#storage/file-store.ts'
import { ShortFileError, type ObjectStore } from '#storage/object-store.ts'
import { createS3Store, type S3Settings } from '#storage/s3-store.ts'

export { ShortFileError }
export type { ObjectStore }

/** Where the files of an installation are, for programs that run beside it. */
export function openObjectStore(settings: {
  directory: string
  s3?: S3Settings
  /** Ends requests to an S3 service. */
  signal?: AbortSignal
}): ObjectStore {
  const { directory, s3, signal } = settings
  return s3 ? createS3Store(s3, signal) : createFileStore(directory)
}
