// What a process that is about to end still owes: the answers to requests that it has begun.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const POLL_MS = 20

export type OpenAnswers = {
  /** From now on each answer closes its connection, so that the client's next request goes to another process. */
  endConnections(): void
  /** Accepts no more connections, and leaves the open ones as they are. */
  stopAccepting(): void
  /** Accepts no more connections, and resolves when everything is answered, or with the signal. */
  finish(signal: AbortSignal): Promise<void>
}

/** Call before the server listens. */
export function watchOpenAnswers(server: Server): OpenAnswers {
  // By connection: a request that is dropped with its connection gets no answer that could end.
  const open = new Map<Socket, Set<ServerResponse>>()
  let isEnding = false

  server.on('connection', (socket: Socket) => {
    open.set(socket, new Set())
    socket.once('close', () => open.delete(socket))
  })
  server.on('upgrade', (_request: IncomingMessage, socket: Socket) => open.delete(socket))
  server.prependListener('request', (request: IncomingMessage, answer: ServerResponse) => {
    const answers = open.get(request.socket)
    if (!answers) return
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
    if (isEnding) closeAfter(answer)
  })

  const owesAny = () => [...open.values()].some((answers) => answers.size > 0)

  return {
    endConnections() {
      isEnding = true
      for (const answers of open.values()) answers.forEach(closeAfter)
    },
    // HTTP's own `close` also cuts idle connections, on which a request may be under way.
    stopAccepting: () => void NetServer.prototype.close.call(server),
    async finish(signal) {
      server.close()
      while (owesAny() && !signal.aborted) await wait(POLL_MS)
    },
  }
}

function closeAfter(answer: ServerResponse) {
  if (!answer.headersSent) answer.setHeader('connection', 'close')
}
