// Stores the bytes of objects. A version is immutable, so stores need no locks: an update is a new version, and the database
// row determines an object's version.
import type { ByteRange } from './byte-range.ts'
import type { StagedUpload } from './staged-upload.ts'

export type ObjectBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

export type ObjectStore = {
  /** Stores a staged upload as `version` and removes the staged file. Durable once it resolves. */
  put(staged: StagedUpload, version: string): Promise<void>
  /** `null` when there is no such version. */
  read(version: string, size: number, range: ByteRange | null): Promise<ObjectBody | null>
  /** @returns false when there is no such version. */
  copy(from: string, to: string): Promise<boolean>
  /** Ignores versions that do not exist. */
  remove(versions: readonly string[]): Promise<void>
}

/** The stored bytes end before the size that the object's row states. */
export class ShortFileError extends Error {
  constructor() {
    super('a stored file is shorter than the size in its row')
  }
}
