import { createFileStore } from '#storage/file-store.ts'
import { ShortFileError, type ObjectStore } from '#storage/object-store.ts'
import { createS3Store, type S3Settings } from '#storage/s3-store.ts'

export { ShortFileError }
export type { ObjectStore }

/** Where the files of an installation are, for programs that run beside it. */
export function openObjectStore(settings: { directory: string; s3?: S3Settings }): ObjectStore {
  return settings.s3 ? createS3Store(settings.s3) : createFileStore(settings.directory)
}
