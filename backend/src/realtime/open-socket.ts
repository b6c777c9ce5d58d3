// GET /realtime/v1/websocket: who may connect, and the life of the connection from then on.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Caller } from '#http/caller.ts'
import { removeChannel } from './close-channel.ts'
import type { Connection } from './connection.ts'
import { SERIALIZER_VERSIONS, type SerializerVersion } from './messages.ts'
import { newRateWindow } from './rate-window.ts'
import { receiveFrame } from './receive-message.ts'
import type { Service } from './service.ts'

const PATH = '/realtime/v1/websocket'
/** Clients say something every 25 seconds; Phoenix gives up after 60 seconds of silence. */
const SILENCE_MS = 60_000
/** Room for what surrounds a payload of the largest size, so that one a little larger still gets the protocol's answer. */
const FRAME_ALLOWANCE = 4

export type Sockets = {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

/** Sockets wait for `ready`: nobody should believe to hear a topic before this process does. */
export function createSockets(
  service: Service,
  connections: Set<Connection>,
  ready: Promise<void>,
): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Chat messages are small: compressing them costs more than sending them, and each socket would keep a window.
    perMessageDeflate: false,
    maxPayload: service.limits.payloadBytes * FRAME_ALLOWANCE,
  })
  const silence = setInterval(closeSilent, SILENCE_MS)
  silence.unref()

  function closeSilent() {
    for (const connection of connections) {
      if (!connection.isAlive) connection.webSocket.terminate()
      connection.isAlive = false
    }
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const url = new URL(request.url ?? '', 'ws://localhost')
    if (url.pathname !== PATH) return refuse(socket, 404, 'not found')
    const version = SERIALIZER_VERSIONS.find(
      (each) => each === (url.searchParams.get('vsn') ?? '1.0.0'),
    )
    if (!version) return refuse(socket, 400, 'vsn must be 1.0.0 or 2.0.0')
    const header = request.headers['x-api-key']
    const apiKey = (typeof header === 'string' && header) || url.searchParams.get('apikey')
    if (!apiKey) return refuse(socket, 401, 'API key is missing')
    const keyCaller = await service.identifyCaller.byApiKey(apiKey)
    if (!keyCaller) return refuse(socket, 401, 'The API key provided is not valid')
    if (connections.size >= service.limits.connections)
      return refuse(socket, 429, 'Too many connected users')
    await ready
    server.handleUpgrade(request, socket, head, (webSocket) =>
      open(webSocket, socket, version, keyCaller),
    )
  }

  function open(
    webSocket: WebSocket,
    stream: Duplex,
    version: SerializerVersion,
    keyCaller: Caller,
  ) {
    const connection: Connection = {
      version,
      webSocket,
      stream,
      keyCaller,
      channels: new Map(),
      inProgress: new Map(),
      queued: [],
      joins: newRateWindow(),
      events: newRateWindow(),
      isAlive: true,
      isClosed: false,
    }
    connections.add(connection)
    webSocket.on('message', (data, isBinary) =>
      receiveFrame(service, connection, data as Buffer, isBinary),
    )
    webSocket.on('error', (error) => service.log.debug({ err: error }, 'socket error'))
    webSocket.on('close', () => {
      connection.isClosed = true
      connections.delete(connection)
      for (const channel of [...connection.channels.values()]) removeChannel(service, channel)
    })
  }

  return {
    handleUpgrade(request, socket, head) {
      const destroy = () => socket.destroy()
      socket.on('error', destroy)
      upgrade(request, socket, head).catch((error: unknown) => {
        service.log.error({ err: error }, 'a socket could not be opened')
        refuse(socket, 500, 'Error connecting to Realtime')
      })
    },
    close() {
      clearInterval(silence)
      for (const { webSocket } of connections) webSocket.close(1001, 'server is going away')
      setTimeout(() => {
        for (const { webSocket } of connections) webSocket.terminate()
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
}

function refuse(socket: Duplex, status: number, error: string) {
  const body = JSON.stringify({ error })
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
