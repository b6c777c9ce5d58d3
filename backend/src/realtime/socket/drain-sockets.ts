// A process that is about to end hands its sockets over: each is closed as for a restart, which makes its client connect again,
// at a moment of its own, so that thousands do not knock at the other processes at once.
import type { Connection } from '#realtime/channels/channel.ts'
import type { Connections } from './connections.ts'
import type { RealtimeLimits } from '#realtime/limits.ts'

/** "Service restart" (RFC 6455's registry): the client is to connect again. */
const RESTART = 1012
const POLL_MS = 20
/** How long a client may take to respond to the close frame. */
const CLOSING_MS = 1_000

/** Resolves when all are closed; with the signal, the rest is left open. */
export async function drainSockets(
  connections: Connections,
  limits: RealtimeLimits,
  signal: AbortSignal,
): Promise<void> {
  const open = [...connections.all()]
  const forMs = Math.min(limits.drainMs, (open.length * 1000) / limits.drainedPerSecond)
  const timers = open.map((connection) =>
    setTimeout(() => closeForRestart(connection), Math.random() * forMs),
  )
  const deadline = performance.now() + forMs + CLOSING_MS
  while (hasAny(connections) && performance.now() < deadline && !signal.aborted)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  timers.forEach(clearTimeout)
}

function closeForRestart({ webSocket }: Connection) {
  webSocket.close(RESTART, 'restarting; connect again')
}

function hasAny(connections: Connections): boolean {
  return !connections.all()[Symbol.iterator]().next().done
}
