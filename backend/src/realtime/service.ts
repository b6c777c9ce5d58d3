import type { Logger } from 'pino'
import type { Clock } from '#http/clock.ts'
import type { Database } from '#postgres/database.ts'
import type { Cluster } from './cluster.ts'
import type { IdentifyCaller } from './identify-caller.ts'
import type { RealtimeLimits } from './limits.ts'
import type { Outbox } from './outbox.ts'
import type { PresenceBoard } from './presence-board.ts'
import type { Topics } from './topics.ts'
import type { TryRights } from './try-rights.ts'

/** What the files of this folder share: the state of the running service and its ways out. */
export type Service = {
  database: Database
  clock: Clock
  log: Logger
  limits: RealtimeLimits
  /** When true, only topics with policies may be joined. */
  privateOnly: boolean
  topics: Topics
  outbox: Outbox
  cluster: Cluster
  presence: PresenceBoard
  tryRights: TryRights
  identifyCaller: IdentifyCaller
}
