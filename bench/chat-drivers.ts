// How a member connects and sends, for each of the compared chats.
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Arena } from './chat-types.ts'
import { openFrameSocket } from './chat-frames.ts'

/** Called for every delivery; `sentAt` is parsed from the text, or null if the text was not parsed. */
export type OnDelivery = (sentAt: number | null) => void

export type Driver = {
  /** Resolves when the member has joined the group. */
  connect(seat: number): Promise<void>
  /** Resolves when the message is acknowledged. */
  say(seat: number, text: string): Promise<void>
  close(): void
}

const SENT_AT = Buffer.from('sent at ')

/** Messages contain their send time; `parses` is off during throughput runs. */
export type Watch = { parses: boolean }

export function messageText(): string {
  return `A message of the usual length, so that frames are too, sent at ${performance.now().toFixed(3)} end`
}

export function readSentAt(data: Buffer, start: number, end: number): number | null {
  const at = data.indexOf(SENT_AT, start)
  if (at < 0 || at >= end) return null
  return Number.parseFloat(data.toString('latin1', at + SENT_AT.length, at + SENT_AT.length + 16))
}

export function createDriver(
  arena: Exclude<Arena, { kind: 'ejabberd' }>,
  watch: Watch,
  onDelivery: OnDelivery,
): Driver {
  return arena.kind === 'ours'
    ? ourDriver(arena, watch, onDelivery)
    : bareDriver(arena, watch, onDelivery)
}

function ourDriver(
  arena: Extract<Arena, { kind: 'ours' }>,
  watch: Watch,
  onDelivery: OnDelivery,
): Driver {
  const { port } = new URL(arena.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const sockets: { destroy(): void }[] = []
  const topic = `realtime:chat:${arena.chatId}`

  return {
    async connect(seat) {
      const token = arena.seats[seat]?.token
      let joined = () => {}
      let failed = (_error: Error) => {}
      const ready = new Promise<void>((resolve, reject) => {
        joined = resolve
        failed = reject
      })
      const frames = await openFrameSocket(
        {
          port: Number(port),
          path: `/realtime/v1/websocket?apikey=${arena.key}&vsn=2.0.0`,
        },
        (isBinary, data, start, end) => {
          if (isBinary) onDelivery(watch.parses ? readSentAt(data, start, end) : null)
          else if (data.includes('"phx_reply"', start)) {
            const text = data.toString('utf8', start, end)
            if (text.includes('"status":"ok"')) joined()
            else failed(new Error(text))
          }
        },
      )
      sockets.push(frames.socket)
      const config = { private: true, broadcast: { self: true }, presence: { enabled: false } }
      frames.sendText(
        JSON.stringify(['1', '1', topic, 'phx_join', { config, access_token: token }]),
      )
      setInterval(
        () => frames.sendText(JSON.stringify([null, '2', 'phoenix', 'heartbeat', {}])),
        25_000,
      ).unref()
      await ready
    },
    say(seat, text) {
      const { id, token } = arena.seats[seat] ?? { id: '', token: '' }
      const row = { id: randomUUID(), chat_id: arena.chatId, sender_id: id, message: text }
      return post(agent, `${arena.url}/rest/v1/chat_messages`, JSON.stringify(row), {
        apikey: arena.key,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'return=minimal',
      })
    },
    close: () => {
      agent.destroy()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function post(agent: Agent, url: string, body: string, headers: Record<string, string>) {
  return new Promise<void>((resolve, reject) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(url, { method: 'POST', agent, headers: { ...headers, ...length } })
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        if (response.statusCode === 201) resolve()
        else reject(new Error(`${response.statusCode} ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function bareDriver(
  arena: Extract<Arena, { kind: 'bare' }>,
  watch: Watch,
  onDelivery: OnDelivery,
): Driver {
  const seats = new Map<number, Awaited<ReturnType<typeof openFrameSocket>>>()
  /** Resolves the sender's promise when its own message comes back: there is no other acknowledgement. */
  const waiting = new Map<number, (() => void)[]>()
  return {
    async connect(seat) {
      const own = `seat ${seat} `
      const frames = await openFrameSocket(
        { port: arena.port, path: '/' },
        (_is, data, start, end) => {
          onDelivery(watch.parses ? readSentAt(data, start, end) : null)
          const queue = waiting.get(seat)
          if (queue?.length && data.toString('latin1', start, start + own.length) === own)
            queue.shift()?.()
        },
      )
      seats.set(seat, frames)
    },
    say(seat, text) {
      return new Promise((resolve) => {
        const queue = waiting.get(seat) ?? []
        waiting.set(seat, queue)
        queue.push(resolve)
        seats.get(seat)?.sendBinary(Buffer.from(`seat ${seat} ${text}`))
      })
    },
    close: () => {
      for (const { socket } of seats.values()) socket.destroy()
    },
  }
}
