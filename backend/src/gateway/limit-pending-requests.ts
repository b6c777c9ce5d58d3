// Node handles every request of a connection that pipelines, before the client has read the first response and even after
// it has left. Browsers, fetch and reverse proxies do not pipeline, so a connection that does so at length is an attack.
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from './limits.ts'

/** Closes connections with too many pending requests, and drops the requests of closed connections. */
export function limitPendingRequests(server: Server): void {
  const handlers = server.listeners('request') as RequestListener[]
  const pending = new WeakMap<Socket, Set<ServerResponse>>()

  function pendingOn(socket: Socket): Set<ServerResponse> {
    let responses = pending.get(socket)
    if (!responses) {
      const opened = (responses = new Set())
      pending.set(socket, opened)
      socket.once('close', () => closeQueued(opened))
    }
    return responses
  }

  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    // The rest of what arrived together with the request for which the connection was closed.
    if (socket.destroyed) return
    const responses = pendingOn(socket)
    if (responses.size >= LIMITS.pendingRequestsPerConnection) return cutOff(socket)
    // A dozen parts of the server note its end; Node warns of more than ten.
    response.setMaxListeners(20)
    responses.add(response)
    response.once('close', () => responses.delete(response))
    for (const handle of handlers) handle(request, response)
  })
}

/** Node emits `close` only on the response that is being sent; the work for those behind it must end as well. */
function closeQueued(responses: Set<ServerResponse>) {
  for (const response of responses) if (!response.socket) response.emit('close')
}

type Parsed = Socket & { parser?: { onIncoming?: unknown } | null }

/** Without the callback, the parser creates no responses for the requests that have already arrived. */
function cutOff(socket: Parsed) {
  if (socket.parser?.onIncoming) socket.parser.onIncoming = () => 0
  socket.destroy()
}
