// What a process that is about to end still owes: the responses to requests that it has begun.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const POLL_MS = 20

export type OpenResponses = {
  /** From now on each response closes its connection, so that the client's next request goes to another process. */
  endConnections(): void
  /** Accepts no more connections, and leaves the open ones as they are. */
  stopAccepting(): void
  /** Accepts no more connections, and resolves when no response is pending, or with the signal. */
  finish(signal: AbortSignal): Promise<void>
}

/** Call before the server listens. */
export function watchOpenResponses(server: Server): OpenResponses {
  // By connection: a request that is dropped with its connection gets no response that could end.
  const open = new Map<Socket, Set<ServerResponse>>()
  let isEnding = false

  server.on('connection', (socket: Socket) => {
    open.set(socket, new Set())
    socket.once('close', () => open.delete(socket))
  })
  server.on('upgrade', (_request: IncomingMessage, socket: Socket) => open.delete(socket))
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const responses = open.get(request.socket)
    if (!responses) return
    responses.add(response)
    response.once('close', () => responses.delete(response))
    if (isEnding) closeAfter(response)
  })

  const owesAny = () => [...open.values()].some((responses) => responses.size > 0)

  return {
    endConnections() {
      isEnding = true
      for (const responses of open.values()) responses.forEach(closeAfter)
    },
    // HTTP's own `close` also cuts idle connections, on which a request may be under way.
    stopAccepting: () => void NetServer.prototype.close.call(server),
    async finish(signal) {
      server.close()
      while (owesAny() && !signal.aborted) await wait(POLL_MS)
    },
  }
}

function closeAfter(response: ServerResponse) {
  if (!response.headersSent) response.setHeader('connection', 'close')
}
