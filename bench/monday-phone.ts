// A member's phone on Monday morning: opens the app, joins its topics, reads, writes, and reads again what is published as changed.
import { randomUUID } from 'node:crypto'
import { openFrameSocket, type FrameSocket } from './chat-frames.ts'
import { readSentAt } from './chat-drivers.ts'
import {
  CHAT_CHANGED,
  CHATS,
  HOME,
  JOINED,
  NOTICE,
  THREAD,
  type Request,
} from './monday-requests.ts'
import { groupId, memberId, PASSWORD } from './monday-team.ts'

const HEARTBEAT_MS = 25_000

export type Town = {
  url: string
  key: string
  team: string
  /** Milliseconds of one thing that was done. */
  note(what: string, ms: number): void
  /** A response that was not 2xx. */
  refused(what: string, status: number): void
}

export type Phone = {
  /** Ends the week: a session to come back to. */
  signIn(): Promise<void>
  /** Joins the topics that every open app joins; rejects if the socket closes before. */
  join(): Promise<void>
  /** Resolves when the socket has closed. */
  closed(): Promise<void>
  /** Monday: Home, with everything live. */
  open(): Promise<void>
  openTeamChat(): Promise<void>
  readChats(): Promise<void>
  say(where: 'team' | 'group'): Promise<void>
  received(): { team: number; notices: number }
  close(): void
}

export function createPhone(index: number, town: Town): Phone {
  const { url, key, team } = town
  const id = memberId(index)
  const throttled = new Map<Request, number>()
  let refreshToken = ''
  let token = ''
  let frames: FrameSocket | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let joins = 0
  let joined = () => {}
  let closed = Promise.resolve()
  const received = { team: 0, notices: 0 }

  async function send([method, path, body]: Request, what: string): Promise<unknown> {
    const fill = (text: string) => text.replaceAll('{me}', id).replaceAll('{team}', team)
    const started = performance.now()
    const response = await fetch(url + fill(path), {
      method,
      headers: {
        apikey: key,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: fill(JSON.stringify(body)) }),
    }).catch(() => null)
    const text = await response?.text().catch(() => '')
    town.note('request', performance.now() - started)
    if (what !== 'request') town.note(what, performance.now() - started)
    if (!response?.ok) {
      town.refused(`${method} ${path.split('?')[0]} ${text?.slice(0, 120)}`, response?.status ?? 0)
      return null
    }
    return text ? JSON.parse(text) : null
  }
  const all = (requests: Request[]) => Promise.all(requests.map((each) => send(each, 'request')))

  async function enter(grant: 'password' | 'refresh_token', body: object) {
    token = ''
    const path = `/auth/v1/token?grant_type=${grant}`
    const session = (await send(['POST', path, body], `sign-in by ${grant}`)) as {
      access_token: string
      refresh_token: string
    } | null
    token = session?.access_token ?? ''
    refreshToken = session?.refresh_token ?? ''
  }

  const signIn = () => enter('password', { email: `m${index}@example.com`, password: PASSWORD })

  function onFrame(_isBinary: boolean, data: Buffer, start: number, end: number) {
    const has = (text: string) => {
      const at = data.indexOf(text, start)
      return at >= 0 && at < end
    }
    if (has('phx_reply')) {
      if (has('"status":"ok"')) return void (joins++ === 3 && joined())
      return town.refused(`join ${data.toString('utf8', start, Math.min(end, start + 200))}`, 0)
    }
    if (has('message_inserted')) {
      const sentAt = readSentAt(data, start, end)
      received.team++
      if (sentAt !== null) town.note('team chat message, live', performance.now() - sentAt)
    } else if (has('chat_changed')) {
      for (const [request, interval] of CHAT_CHANGED) {
        const now = performance.now()
        if (now - (throttled.get(request) ?? -Infinity) < interval) continue
        throttled.set(request, now)
        void send(request, 'request')
      }
    } else if (has('team_notices')) {
      received.notices++
      const spread = /"spread_ms":\s*(\d+)/.exec(data.toString('utf8', start, end))
      setTimeout(() => void all(NOTICE), Math.random() * Number(spread?.[1] ?? 0))
    }
  }

  async function join() {
    joins = 0
    const ready = new Promise<void>((resolve) => (joined = resolve))
    const path = `/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`
    // Phones have addresses of their own, which the server's limits count.
    const localAddress = `127.0.1.${1 + (index % 200)}`
    const port = Number(new URL(url).port)
    frames = await openFrameSocket({ port, path, localAddress }, onFrame)
    const { socket } = frames
    closed = new Promise((resolve) => socket.once('close', () => resolve()))
    const topics = [`user:${id}`, `online:${id}`, 'team', `chat:${team}`]
    topics.forEach((topic, at) => {
      const presence = topic.startsWith('online') ? { key: id, enabled: true } : { enabled: false }
      const config = { private: true, broadcast: { ack: false, self: false }, presence }
      const ref = String(at + 1)
      frames?.sendText(
        JSON.stringify([
          ref,
          ref,
          `realtime:${topic}`,
          'phx_join',
          { config, access_token: token },
        ]),
      )
    })
    clearInterval(heartbeat)
    heartbeat = setInterval(
      () => frames?.sendText(JSON.stringify([null, '9', 'phoenix', 'heartbeat', {}])),
      HEARTBEAT_MS,
    )
    await Promise.race([ready, closed])
    if (socket.destroyed) throw new Error('The socket closed before all topics were joined')
    const track = { type: 'presence', event: 'track', payload: {} }
    frames.sendText(JSON.stringify(['2', '10', `realtime:online:${id}`, 'presence', track]))
  }

  return {
    signIn,
    join,
    closed: () => closed,
    async open() {
      const started = performance.now()
      await (refreshToken ? enter('refresh_token', { refresh_token: refreshToken }) : signIn())
      await all(HOME)
      town.note('Home is there', performance.now() - started)
      await join()
      town.note('and live', performance.now() - started)
      await all(JOINED)
    },
    async openTeamChat() {
      const started = performance.now()
      await all(THREAD)
      town.note('team chat opened', performance.now() - started)
    },
    async readChats() {
      await all([CHATS])
    },
    async say(where) {
      const message = `Good morning to all of you, sent at ${performance.now().toFixed(3)} end`
      const chat_id = where === 'team' ? team : groupId(index)
      const row = { id: randomUUID(), chat_id, sender_id: id, message }
      await send(['POST', '/rest/v1/chat_messages', row], `message stored, ${where}`)
    },
    received: () => received,
    close() {
      clearInterval(heartbeat)
      frames?.socket.destroy()
    },
  }
}
