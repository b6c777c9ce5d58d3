// Limits on the resources of anonymous clients and single members.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { LIMITS } from '../src/realtime/limits.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aMember, clientsFor, join, ROOMS_SQL, type Member } from './realtime-clients.ts'

const HEAR_EVERYTHING_SQL = `${ROOMS_SQL}
  create policy "members do everything" on realtime.messages for all to authenticated using (true) with check (true);
`

const MEBIBYTE = 1024 * 1024

let backend: TestBackend
const client = clientsFor(() => backend)

beforeAll(async () => {
  backend = await startTestBackend({
    sql: HEAR_EVERYTHING_SQL,
    settings: {
      realtime: {
        limits: {
          connectionsPerAccount: 3,
          bytesPerAccountPer10Seconds: 2 * MEBIBYTE,
          presenceBytes: 4 * 1024,
        },
      },
    },
  })
})
afterAll(() => backend?.close())

type Reply = { status: string; response: { reason?: string } }

async function aSocket() {
  const address = `${backend.url.replace('http', 'ws')}/realtime/v1/websocket`
  const socket = new WebSocket(`${address}?apikey=${backend.publishableKey}&vsn=2.0.0`)
  const received: [unknown, unknown, string, string, Reply][] = []
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString()) as never))
  await once(socket, 'open')
  let refs = 0
  return {
    socket,
    received,
    ask(topic: string, event: string, payload: unknown): Promise<Reply> {
      const ref = `${++refs}`
      socket.send(JSON.stringify([event === 'phx_join' ? ref : null, ref, topic, event, payload]))
      return vi.waitFor(() => {
        const reply = received.find(([, replyRef]) => replyRef === ref)
        if (!reply) throw new Error('no reply yet')
        return reply[4]
      })
    },
  }
}

const asMember = ({ token }: Member, key?: string) => ({
  config: { private: true, presence: { enabled: true, key } },
  access_token: token,
})

test('public topics are rejected, for joins and over HTTP', async () => {
  await expect(join((await client(null)).channel('lobby'))).rejects.toThrow('PrivateOnly')
  const sender = (await client(null)).channel('lobby')
  await expect(sender.httpSend('note', {})).rejects.toThrow('Unauthorized')
})

test('an idle anonymous socket is closed, a member’s is not', async () => {
  const [stranger, member] = [await aSocket(), await aSocket()]
  await member.ask('realtime:team', 'phx_join', asMember(await aMember(backend)))
  const closed = once(stranger.socket, 'close')
  backend.clock.advance(LIMITS.anonymousIdleMs + 1)
  expect((await closed)[0]).toBe(1008)
  expect(member.socket.readyState).toBe(WebSocket.OPEN)
  member.socket.terminate()
})

test('an anonymous socket is closed after 256 KiB, a member’s is not', async () => {
  const flood = (socket: WebSocket) => {
    for (let n = 0; n < 6; n++)
      socket.send(JSON.stringify([null, null, 'phoenix', 'x', { n, text: 'x'.repeat(50_000) }]))
  }
  const [stranger, member] = [await aSocket(), await aSocket()]
  await member.ask('realtime:team', 'phx_join', asMember(await aMember(backend)))
  const closed = once(stranger.socket, 'close')
  flood(stranger.socket)
  flood(member.socket)
  await closed
  expect(await member.ask('phoenix', 'heartbeat', {})).toMatchObject({ status: 'ok' })
  member.socket.terminate()
})

test('what an account sends is limited over all its sockets; others are not affected', async () => {
  const [maya, theo] = [await aMember(backend), await aMember(backend)]
  const [other, ...sockets] = await Promise.all([1, 2, 3, 4].map(aSocket))
  for (const { ask } of sockets) await ask('realtime:team', 'phx_join', asMember(maya))
  await other?.ask('realtime:team', 'phx_join', asMember(theo))
  const text = 'x'.repeat(200_000)
  let sent = 0
  const isOpen = ({ socket }: { socket: WebSocket }) => socket.readyState === WebSocket.OPEN
  while (sockets.some(isOpen)) {
    for (const { ask, socket } of sockets.filter(isOpen)) {
      sent += text.length
      const replied = ask('phoenix', 'heartbeat', { text }).catch(() => 'not before it closed')
      await Promise.race([replied, once(socket, 'close')])
    }
  }
  // One period's bytes and those of the next, should it begin in between; three sockets of their own would have taken more.
  expect(sent).toBeGreaterThan(2 * MEBIBYTE)
  expect(sent).toBeLessThan(2 * (2 * MEBIBYTE) + sockets.length * text.length)
  expect(await other?.ask('phoenix', 'heartbeat', {})).toMatchObject({ status: 'ok' })
  other?.socket.terminate()
})

test('an account’s sockets are limited, with an error for one too many', async () => {
  const maya = await aMember(backend)
  const sockets = await Promise.all([1, 2, 3, 4].map(aSocket))
  const replies = []
  for (const socket of sockets)
    replies.push(await socket.ask('realtime:team', 'phx_join', asMember(maya)))
  expect(replies.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'error'])
  expect(replies[3]?.response.reason).toBe(
    'ConnectionRateLimitReached: Too many connections of this account',
  )
  for (const { socket } of sockets) socket.terminate()
})

const presence = (payload: object) => ({ type: 'presence', event: 'track', payload })

test('presence is limited per entry and per connection', async () => {
  const { socket, ask, received } = await aSocket()
  const maya = asMember(await aMember(backend))
  const replies: string[] = []
  for (let n = 0; n < 20; n++) {
    await ask(`realtime:topic ${n}`, 'phx_join', maya)
    const text = 'x'.repeat(4_000)
    replies.push((await ask(`realtime:topic ${n}`, 'presence', presence({ text }))).status)
  }
  expect(replies.filter((status) => status === 'ok')).toHaveLength(16)
  void ask('realtime:topic 0', 'presence', presence({ text: 'x'.repeat(4_100) })).catch(() => {})
  await vi.waitFor(() => expect(JSON.stringify(received)).toContain('Track message size exceeded'))
  socket.terminate()
})

test('a member’s presence key is their user id, even if another is requested', async () => {
  const [maya, theo] = [await aMember(backend), await aMember(backend)]
  const { socket, ask, received } = await aSocket()
  await ask('realtime:team', 'phx_join', asMember(maya, theo.id))
  await ask('realtime:team', 'presence', presence({}))
  await vi.waitFor(() => expect(JSON.stringify(received)).toContain('presence_diff'))
  expect(JSON.stringify(received)).toContain(maya.id)
  expect(JSON.stringify(received)).not.toContain(theo.id)
  socket.terminate()
})

test.each([
  ['a token of 10 kB', { config: { private: true }, access_token: 'x'.repeat(10_000) }],
  [
    'a presence key of 300 bytes',
    { config: { private: true, presence: { key: 'x'.repeat(300) } } },
  ],
])('a join with %s is rejected', async (_what, payload) => {
  const { socket, ask } = await aSocket()
  expect((await ask('realtime:team', 'phx_join', payload)).response.reason).toContain(
    'InvalidJoinPayload',
  )
  socket.terminate()
})

test('a message in thousands of fragments closes the connection', async () => {
  const { socket } = await aSocket()
  const closed = once(socket, 'close')
  for (let n = 0; n <= LIMITS.fragmentsPerMessage; n++) socket.send('x', { fin: false })
  expect((await closed)[0]).toBe(1008)
})

function post(messages: unknown[], headers: Record<string, string> = {}) {
  return fetch(`${backend.url}/realtime/v1/api/broadcast`, {
    method: 'POST',
    headers: { apikey: backend.publishableKey, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ messages }),
  })
}

const messages = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    topic: `room:${n}`,
    event: 'note',
    payload: {},
    private: true,
  }))

test('a batch of forty thousand topics is rejected immediately, as is one of 101', async () => {
  expect((await post(messages(40_000))).status).toBe(413)
  const refused = await post(messages(101))
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({ message: 'A batch has at most 100 messages' })
})

test('a caller may send a thousand messages in ten seconds over HTTP, without affecting others', async () => {
  const [maya, theo] = [await aMember(backend), await aMember(backend)]
  const as = ({ token }: Member) => ({ authorization: `Bearer ${token}` })
  const posts = Array.from({ length: 25 }, () => post(messages(100), as(maya)))
  const statuses = (await Promise.all(posts)).map(({ status }) => status)
  const accepted = statuses.filter((status) => status === 202)
  // One period's, and those of the next, should it begin in between.
  expect(accepted.length).toBeGreaterThanOrEqual(10)
  expect(accepted.length).toBeLessThanOrEqual(20)
  expect(new Set(statuses)).toEqual(new Set([202, 429]))
  expect((await post(messages(1), as(theo))).status).toBe(202)
})
