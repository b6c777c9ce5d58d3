import { vi } from 'vitest'

/** Long enough for a screen's first requests. */
const JOIN_MS = 50

type Frame = [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: object,
]

type Answer = 'ok' | 'error'

/**
 * Replaces the live connection: accepts every join unless `answerJoin` refuses it or takes its time, and broadcasts what a
 * test sends.
 */
export function startLiveServer({
  answerJoin = () => 'ok',
}: { answerJoin?: (topic: string) => Answer | Promise<Answer> } = {}) {
  const sockets = new Set<LiveSocket>()
  const joined = new Set<string>()

  class LiveSocket extends EventTarget {
    readyState = 1
    onopen?: () => void
    onmessage?: (event: { data: string }) => void
    onclose?: () => void
    constructor() {
      super()
      sockets.add(this)
      setTimeout(() => this.onopen?.())
    }
    send(text: string) {
      const frame = JSON.parse(text) as Frame
      const [, , topic, event] = frame
      if (event === 'phx_join') joined.add(topic)
      setTimeout(() => void this.reply(frame), JOIN_MS)
    }
    async reply([joinRef, ref, topic, event]: Frame) {
      const isJoin = event === 'phx_join'
      const status = isJoin ? await answerJoin(topic.replace('realtime:', '')) : 'ok'
      this.say([joinRef, ref, topic, 'phx_reply', { status, response: {} }])
    }
    say(frame: Frame) {
      this.onmessage?.({ data: JSON.stringify(frame) })
    }
    close() {
      sockets.delete(this)
      this.readyState = 3
      this.onclose?.()
    }
  }
  vi.stubGlobal('WebSocket', LiveSocket)

  return {
    /** The connection is lost; the client opens another. */
    drop() {
      for (const socket of [...sockets]) socket.close()
    },
    hasJoined: (topic: string) => joined.has(`realtime:${topic}`),
    broadcast(topic: string, event: string, payload: object) {
      for (const socket of sockets)
        socket.say([
          null,
          null,
          `realtime:${topic}`,
          'broadcast',
          { type: 'broadcast', event, payload },
        ])
    },
  }
}
