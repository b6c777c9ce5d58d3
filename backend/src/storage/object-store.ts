// Where the bytes of objects lie. A version is written once and never changed, so stores need no locks: an update is a
// new version, and the database row decides which version an object has.
import type { ByteRange } from './byte-range.ts'
import type { Draft } from './draft.ts'
import { createFileStore } from './file-store.ts'
import { createS3Store, type S3Settings } from './s3-store.ts'

export type ObjectBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

export type ObjectStore = {
  /** Keeps a complete draft as `version`; the draft file is gone afterwards. Durable once it resolves. */
  keep(draft: Draft, version: string): Promise<void>
  /** `null` when there is no such version. */
  read(version: string, size: number, range: ByteRange | null): Promise<ObjectBody | null>
  /** @returns false when there is no such version. */
  copy(from: string, to: string): Promise<boolean>
  /** Removing what is not there is no error. */
  remove(versions: readonly string[]): Promise<void>
}

export type ObjectStoreSettings = { directory: string; s3?: S3Settings }

/** The local directory, or an S3-compatible service when settings name one. */
export function createObjectStore({ directory, s3 }: ObjectStoreSettings): ObjectStore {
  return s3 ? createS3Store(s3) : createFileStore(directory)
}
