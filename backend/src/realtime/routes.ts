// /realtime/v1: builds the service from its parts and says which request goes where.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { AccessTokens } from '#http/access-tokens.ts'
import type { Clock } from '#http/clock.ts'
import type { Handler } from '#http/context.ts'
import type { Database } from '#postgres/database.ts'
import { clearOldMessages } from './clear-old-messages.ts'
import { createCluster } from './cluster.ts'
import type { Connection } from './connection.ts'
import { httpErrors } from './errors.ts'
import { hearEvents } from './hear-events.ts'
import { createIdentifyCaller } from './identify-caller.ts'
import { DEFAULT_LIMITS, type RealtimeLimits } from './limits.ts'
import { createSockets } from './open-socket.ts'
import { createOutbox } from './outbox.ts'
import { createPresenceBoard } from './presence-board.ts'
import { closeExpired } from './recheck-rights.ts'
import { sendBatch, sendOne } from './send-over-http.ts'
import type { Service } from './service.ts'
import { createTopics } from './topics.ts'
import { createTryRights } from './try-rights.ts'

const LOOK_FOR_EXPIRED_MS = 1000
const SINGLE_BROADCAST = /^\/realtime\/v1\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/

export type RealtimeOptions = {
  database: Database
  tokens: AccessTokens
  publishableKey: string
  secretKey: string
  clock: Clock
  log: Logger
  limits?: Partial<RealtimeLimits>
  /** Refuses topics that no policy guards. */
  privateOnly?: boolean
}

export type RealtimeService = {
  /** The HTTP endpoints, below /realtime/v1/api. */
  handle: Handler
  /** WebSocket upgrades of /realtime/v1/websocket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Resolves once broadcasts from the database and from other processes are heard. */
  ready: Promise<void>
  close(): Promise<void>
}

export function createRealtimeService(options: RealtimeOptions): RealtimeService {
  const { database, clock, log } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const connections = new Set<Connection>()
  const outbox = createOutbox({
    queuedBytesPerSocket: limits.queuedBytesPerSocket,
    onSlow: ({ webSocket }) => {
      log.info('a socket that reads too slowly was cut off')
      webSocket.terminate()
    },
  })
  const topics = createTopics(outbox)
  const cluster = createCluster(database, log)
  const presence = createPresenceBoard({
    processId: cluster.processId,
    topics,
    outbox,
    share: (change) => cluster.sharePresence(change),
  })
  const service: Service = {
    database,
    clock,
    log,
    limits,
    privateOnly: options.privateOnly ?? false,
    topics,
    outbox,
    cluster,
    presence,
    tryRights: createTryRights(database),
    identifyCaller: createIdentifyCaller(options),
  }
  const hearing = hearEvents(service)
  const sockets = createSockets(service, connections, hearing.ready)
  const stopClearing = clearOldMessages(database, log)
  const expiry = setInterval(() => closeExpired(service), LOOK_FOR_EXPIRED_MS)
  expiry.unref()

  return {
    ready: hearing.ready,
    async handle(request, context) {
      const { pathname } = new URL(request.url)
      if (request.method === 'POST') {
        if (pathname === '/realtime/v1/api/broadcast') return sendBatch(service, request, context)
        const [, topic, event] = SINGLE_BROADCAST.exec(pathname) ?? []
        if (topic && event)
          return sendOne(service, request, context, {
            topic: decodeURIComponent(topic),
            event: decodeURIComponent(event),
          })
      }
      throw httpErrors.notFound()
    },
    handleUpgrade: (request, socket, head) => sockets.handleUpgrade(request, socket, head),
    async close() {
      clearInterval(expiry)
      stopClearing()
      outbox.flush()
      sockets.close()
      presence.close()
      await hearing.stop()
    },
  }
}
