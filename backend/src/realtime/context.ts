import type { Logger } from 'pino'
import type { ClientAddress } from '#http/client-address.ts'
import type { Clock } from '#http/clock.ts'
import type { Database } from '#postgres/database.ts'
import type { FindWritableTopics, Authorize } from '#realtime/rights/authorization.ts'
import type { Connections } from '#realtime/socket/connections.ts'
import type { IdentifyCaller } from '#realtime/rights/identify-caller.ts'
import type { RealtimeLimits } from './limits.ts'
import type { PendingChecks } from '#realtime/rights/pending-checks.ts'
import type { PresenceTracker } from '#realtime/presence/presence-tracker.ts'
import type { PubSub } from '#realtime/broadcast/pub-sub.ts'
import type { SocketWriter } from '#realtime/socket/socket-writer.ts'
import type { Topics } from '#realtime/channels/topics.ts'

/** State and dependencies of the running service, shared by the files of this folder. */
export type Service = {
  database: Database
  clock: Clock
  log: Logger
  limits: RealtimeLimits
  clientAddress: ClientAddress
  /** Only private channels may be joined. */
  privateOnly: boolean
  topics: Topics
  writer: SocketWriter
  pubSub: PubSub
  presence: PresenceTracker
  authorize: Authorize
  findWritableTopics: FindWritableTopics
  connections: Connections
  /** Rate limit of messages sent over HTTP, by caller; false when exceeded. */
  allowPost(caller: string, messages: number): boolean
  checks: PendingChecks
  identifyCaller: IdentifyCaller
}
