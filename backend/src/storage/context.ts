import type { Logger } from 'pino'
import type { AccessTokens } from '#http/access-tokens.ts'
import type { Clock } from '#http/clock.ts'
import type { Context } from '#http/context.ts'
import type { Database } from '#postgres/database.ts'
import type { ObjectStore } from './object-store.ts'
import type { S3Settings } from './s3-store.ts'
import type { UploadSlots } from './upload-slots.ts'

export type StorageSettings = {
  directory: string
  s3?: S3Settings
  /** Free bytes on a directory's disk; replaced in tests. */
  freeBytes?: (directory: string) => Promise<number>
}

/** Dependencies of every action. */
export type Storage = {
  database: Database
  tokens: AccessTokens
  clock: Clock
  log: Logger
  store: ObjectStore
  /** Directory of incomplete uploads. */
  stagingDirectory: string
  slots: UploadSlots
  freeBytes(directory: string): Promise<number>
}

/** `rest` is the variable part of the path, still percent-encoded. */
export type Action = (
  storage: Storage,
  request: Request,
  context: Context,
  rest: string,
) => Promise<Response>
