import type { Logger } from 'pino'
import type { AccessTokens } from '#http/access-tokens.ts'
import type { Clock } from '#http/clock.ts'
import type { Context } from '#http/context.ts'
import type { Database } from '#postgres/database.ts'
import type { ObjectStore, ObjectStoreSettings } from './object-store.ts'

export type StorageSettings = ObjectStoreSettings & {
  /** Bytes a file may have; a bucket may set less. */
  fileSizeLimit: number
}

/** What every action of the service works with. */
export type Storage = {
  database: Database
  tokens: AccessTokens
  clock: Clock
  log: Logger
  store: ObjectStore
  /** Where uploads lie until they are complete. */
  draftDirectory: string
  fileSizeLimit: number
}

/** One action. `rest` is the part of the path behind the route's own, still percent-encoded. */
export type Action = (
  storage: Storage,
  request: Request,
  context: Context,
  rest: string,
) => Promise<Response>
