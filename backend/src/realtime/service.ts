// /realtime/v1: assembles the service from its parts.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { AccessTokens } from '#http/access-tokens.ts'
import type { ClientAddress } from '#http/client-address.ts'
import type { Clock } from '#http/clock.ts'
import type { Handler } from '#http/context.ts'
import type { Database } from '#postgres/database.ts'
import { createAuthorization } from '#realtime/rights/authorization.ts'
import { clearOldMessages } from '#realtime/broadcast/clear-old-messages.ts'
import { createConnections } from '#realtime/socket/connections.ts'
import type { Service } from './context.ts'
import { createIdentifyCaller } from '#realtime/rights/identify-caller.ts'
import { LIMITS, TEN_SECONDS_MS, type RealtimeLimits } from './limits.ts'
import { startListeners } from '#realtime/broadcast/listeners.ts'
import { createSockets } from '#realtime/socket/open-socket.ts'
import { createPendingChecks } from '#realtime/rights/pending-checks.ts'
import { createPresenceTracker } from '#realtime/presence/presence-tracker.ts'
import { createPubSub } from '#realtime/broadcast/pub-sub.ts'
import { createRateLimit } from '#http/rate-window.ts'
import { closeExpired } from '#realtime/rights/reauthorize-channels.ts'
import { handleHttp } from './routes.ts'
import { createSocketWriter } from '#realtime/socket/socket-writer.ts'
import { createTopics } from '#realtime/channels/topics.ts'

const EXPIRY_CHECK_MS = 1000

export type RealtimeOptions = {
  database: Database
  tokens: AccessTokens
  publishableKey: string
  secretKey: string
  clock: Clock
  log: Logger
  clientAddress: ClientAddress
} & RealtimeSettings

export type RealtimeSettings = {
  limits?: Partial<RealtimeLimits>
  /**
   * Rejects public channels, and makes members track presence under their own user id. True by default; hosted Supabase
   * has the opposite setting, "Allow public access".
   */
  privateOnly?: boolean
}

export type RealtimeService = {
  /** The HTTP endpoints, below /realtime/v1/api. */
  handle: Handler
  /** WebSocket upgrades of /realtime/v1/websocket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Resolves once subscribed to broadcasts from the database and other processes. */
  ready: Promise<void>
  /** Refuses new sockets, and asks the clients of the open ones to connect again: to another process. */
  drain(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export function createRealtimeService(options: RealtimeOptions): RealtimeService {
  const { database, clock, log } = options
  const limits = { ...LIMITS, ...options.limits }
  const writer = createSocketWriter({
    queuedBytesPerSocket: limits.queuedBytesPerSocket,
    onSlow: ({ webSocket }) => {
      log.info('closed a socket that reads too slowly')
      webSocket.terminate()
    },
  })
  const topics = createTopics(writer)
  const pubSub = createPubSub(database, log)
  const presence = createPresenceTracker({
    limits,
    processId: pubSub.processId,
    topics,
    writer,
    publish: (change) => pubSub.publishPresence(change),
  })
  const service: Service = {
    database,
    clock,
    log,
    limits,
    privateOnly: options.privateOnly ?? true,
    clientAddress: options.clientAddress,
    connections: createConnections(
      limits,
      ({ webSocket }) => {
        webSocket.close(1013, 'others wait for this connection')
        webSocket.terminate()
      },
      () => clock.now(),
    ),
    allowPost: createRateLimit({
      limit: limits.httpMessagesPer10Seconds,
      windowMs: TEN_SECONDS_MS,
    }),
    topics,
    writer,
    pubSub,
    presence,
    ...createAuthorization(database, limits),
    checks: createPendingChecks(),
    identifyCaller: createIdentifyCaller(options),
  }
  const listeners = startListeners(service)
  const sockets = createSockets(service, listeners.ready)
  const stopClearing = clearOldMessages(database, log)
  const expiry = setInterval(() => closeExpired(service), EXPIRY_CHECK_MS)
  expiry.unref()

  return {
    ready: listeners.ready,
    handle: (request, context) => handleHttp(service, request, context),
    handleUpgrade: (request, socket, head) => sockets.handleUpgrade(request, socket, head),
    async drain(signal) {
      writer.flush()
      await sockets.drain(signal)
    },
    async close() {
      clearInterval(expiry)
      stopClearing()
      writer.flush()
      sockets.close()
      presence.close()
      await listeners.stop()
    },
  }
}
