// GET /realtime/v1/websocket: authenticates the upgrade and manages the connection's lifetime.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { addressGroup } from '#http/client-address.ts'
import type { Connection } from '#realtime/channels/channel.ts'
import { isServer } from './connections.ts'
import { removeChannel, terminate } from '#realtime/channels/close-channel.ts'
import type { Service } from '#realtime/context.ts'
import { drainSockets } from './drain-sockets.ts'
import { TEN_SECONDS_MS } from '#realtime/limits.ts'
import { SERIALIZER_VERSIONS } from '#realtime/protocol/messages.ts'
import { createRateLimit, newRateWindow } from '#http/rate-window.ts'
import { receiveFrame } from './receive-message.ts'

const PATH = '/realtime/v1/websocket'
/** Clients send a heartbeat every 25 seconds; Phoenix times out after 60. */
const SILENCE_MS = 60_000
const IDLE_CHECK_MS = 1000

export type Sockets = {
  /** Refuses new sockets and closes the open ones, so that their clients connect to another process. */
  drain(signal: AbortSignal): Promise<void>
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

/** Upgrades wait for `ready`: before it, this process receives no broadcasts. */
export function createSockets(service: Service, ready: Promise<void>): Sockets {
  const { connections, limits } = service
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Chat messages are small: compression costs more than it saves, and needs memory for each socket.
    perMessageDeflate: false,
    maxPayload: limits.frameBytes,
    maxFragments: limits.fragmentsPerMessage,
    maxBufferedChunks: limits.chunksPerFrame,
  })
  const silence = setInterval(closeSilent, SILENCE_MS)
  silence.unref()
  const idleness = setInterval(closeIdle, IDLE_CHECK_MS)
  idleness.unref()
  const allowUpgrade = createRateLimit({
    limit: limits.upgradesPerAddressPer10Seconds,
    windowMs: TEN_SECONDS_MS,
  })
  const allowOfAccount = createRateLimit({
    limit: limits.bytesPerAccountPer10Seconds,
    windowMs: TEN_SECONDS_MS,
  })
  const allowOfSession = createRateLimit({
    limit: limits.bytesPerSessionPer10Seconds,
    windowMs: TEN_SECONDS_MS,
  })

  function closeSilent() {
    for (const connection of connections.all()) {
      if (!connection.isAlive) connection.webSocket.terminate()
      connection.isAlive = false
    }
  }

  function closeIdle() {
    const idleSince = service.clock.now() - limits.anonymousIdleMs
    for (const { anonymousSince, channels, webSocket } of connections.anonymous()) {
      if (anonymousSince > idleSince) break
      if (channels.size === 0) webSocket.close(1008, 'no channel was joined')
    }
  }

  let isDraining = false

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    if (isDraining) return rejectUpgrade(socket, 503, 'restarting; connect again')
    const address = addressGroup(service.clientAddress(request))
    if (!allowUpgrade(address)) return rejectUpgrade(socket, 429, 'Too many connection attempts')
    const url = parseUrl(request.url ?? '')
    if (url?.pathname !== PATH) return rejectUpgrade(socket, 404, 'not found')
    const version = SERIALIZER_VERSIONS.find(
      (each) => each === (url.searchParams.get('vsn') ?? '1.0.0'),
    )
    if (!version) return rejectUpgrade(socket, 400, 'vsn must be 1.0.0 or 2.0.0')
    const header = request.headers['x-api-key']
    const apiKey = (typeof header === 'string' && header) || url.searchParams.get('apikey')
    if (!apiKey) return rejectUpgrade(socket, 401, 'API key is missing')
    const keyCaller = await service.identifyCaller.byApiKey(apiKey)
    if (!keyCaller) return rejectUpgrade(socket, 401, 'The API key provided is not valid')
    await ready
    if (isDraining) return rejectUpgrade(socket, 503, 'restarting; connect again')
    if (!connections.hasRoom(address)) return rejectUpgrade(socket, 429, 'Too many connected users')
    server.handleUpgrade(request, socket, head, (webSocket) =>
      open(webSocket, socket, { address, version, keyCaller }),
    )
  }

  function open(
    webSocket: WebSocket,
    stream: Duplex,
    { address, version, keyCaller }: Pick<Connection, 'address' | 'version' | 'keyCaller'>,
  ) {
    const connection: Connection = {
      version,
      address,
      account: null,
      session: null,
      anonymousSince: service.clock.now(),
      anonymousBytes: 0,
      unhandledBytes: 0,
      webSocket,
      stream,
      keyCaller,
      channels: new Map(),
      inProgress: new Map(),
      queued: [],
      joins: newRateWindow(),
      waitingJoins: 0,
      events: newRateWindow(),
      isAlive: true,
      isClosed: false,
    }
    connections.add(connection)
    limitBytes(connection)
    webSocket.on('message', (data, isBinary) =>
      receiveFrame(service, connection, data as Buffer, isBinary),
    )
    webSocket.on('error', (error) => service.log.debug({ err: error }, 'socket error'))
    webSocket.on('close', () => {
      connection.isClosed = true
      connections.remove(connection)
      for (const channel of [...connection.channels.values()]) removeChannel(service, channel)
    })
  }

  // Counted as they arrive, so that pings and incomplete messages count too.
  function limitBytes(connection: Connection) {
    const { stream, webSocket } = connection
    const isAnonymous = service.privateOnly && !isServer(connection)
    stream.on('data', ({ length }: Buffer) => {
      const { account, session } = connection
      if (account !== null && session !== null) {
        const isOfSession = allowOfSession(session, length)
        if (!allowOfAccount(account, length) && !isOfSession) terminate(connection, 'too much sent')
      } else if (isAnonymous) {
        // An anonymous client has nothing to send but the join that authenticates it.
        connection.anonymousBytes += length
        if (connection.anonymousBytes > limits.anonymousBytesPerConnection) webSocket.terminate()
      }
    })
  }

  return {
    handleUpgrade(request, socket, head) {
      socket.on('error', () => socket.destroy())
      upgrade(request, socket, head).catch((error: unknown) => {
        service.log.error({ err: error }, 'could not open a socket')
        rejectUpgrade(socket, 500, 'Error connecting to Realtime')
      })
    },
    async drain(signal) {
      isDraining = true
      await drainSockets(connections, limits, signal)
    },
    close() {
      clearInterval(silence)
      clearInterval(idleness)
      for (const { webSocket } of connections.all()) webSocket.close(1001, 'server is going away')
      setTimeout(() => {
        for (const { webSocket } of connections.all()) webSocket.terminate()
      }, 500).unref()
      server.close()
    },
  }
}

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

function parseUrl(path: string): URL | null {
  return URL.canParse(path, 'ws://localhost') ? new URL(path, 'ws://localhost') : null
}

// Closes the connection once the response is sent: Node's HTTP server leaves it half open, for as long as the client likes.
function rejectUpgrade(socket: Duplex, status: number, error: string) {
  const body = JSON.stringify({ error })
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}
