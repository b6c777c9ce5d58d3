// Node handles every request of a connection that pipelines, before the client has read the first answer and even after
// it has left. Browsers, fetch and reverse proxies do not pipeline, so a connection that does so at length is an attack.
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from './limits.ts'

/** Closes connections with too many unanswered requests, and drops the requests of closed connections. */
export function limitUnanswered(server: Server): void {
  const handlers = server.listeners('request') as RequestListener[]
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>()

  function unansweredOn(socket: Socket): Set<ServerResponse> {
    let answers = unanswered.get(socket)
    if (!answers) {
      const opened = (answers = new Set())
      unanswered.set(socket, opened)
      socket.once('close', () => closeQueued(opened))
    }
    return answers
  }

  server.removeAllListeners('request')
  server.on('request', (request, answer) => {
    const { socket } = request
    // The rest of what arrived together with the request for which the connection was closed.
    if (socket.destroyed) return
    const answers = unansweredOn(socket)
    if (answers.size >= LIMITS.unansweredPerConnection) return cutOff(socket)
    // A dozen parts of the server note its end; Node warns of more than ten.
    answer.setMaxListeners(20)
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
    for (const handle of handlers) handle(request, answer)
  })
}

/** Node emits `close` only on the answer that is being sent; the work for those behind it must end as well. */
function closeQueued(answers: Set<ServerResponse>) {
  for (const answer of answers) if (!answer.socket) answer.emit('close')
}

type Parsed = Socket & { parser?: { onIncoming?: unknown } | null }

/** Without the callback, the parser makes no answers for the requests that have already arrived. */
function cutOff(socket: Parsed) {
  if (socket.parser?.onIncoming) socket.parser.onIncoming = () => 0
  socket.destroy()
}
