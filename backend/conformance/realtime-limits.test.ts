import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { clientsFor, closed, join, listen, systemMessage } from './realtime-clients.ts'

let backend: TestBackend
const client = clientsFor(() => backend)

beforeAll(async () => {
  backend = await startTestBackend()
})
afterAll(() => backend?.close())

type Body = { status?: string; response?: unknown } & Record<string, unknown>
type Message = [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  body: Body,
]

/** A raw client without the official one's restraint. */
async function aRudeClient() {
  const address = `${backend.url.replace('http', 'ws')}/realtime/v1/websocket`
  const socket = new WebSocket(`${address}?apikey=${backend.publishableKey}&vsn=2.0.0`)
  const received: Message[] = []
  socket.on('message', (data, isBinary) => {
    if (!isBinary) received.push(JSON.parse((data as Buffer).toString()) as Message)
  })
  await once(socket, 'open')
  return {
    socket,
    received,
    say: (...message: Message) => socket.send(JSON.stringify(message)),
    async until(matches: (message: Message) => boolean): Promise<Message> {
      for (;;) {
        const found = received.find(matches)
        if (found) return found
        await Promise.race([once(socket, 'message'), once(socket, 'close')])
      }
    },
  }
}

const isReplyTo = (ref: string) => (message: Message) =>
  message[1] === ref && message[3] === 'phx_reply'

test('a client has at most a hundred channels', async () => {
  const rude = await aRudeClient()
  for (let count = 1; count <= 101; count++)
    rude.say(`${count}`, `${count}`, `realtime:room ${count}`, 'phx_join', { config: {} })
  expect((await rude.until(isReplyTo('100')))[4]).toMatchObject({ status: 'ok' })
  expect((await rude.until(isReplyTo('101')))[4]).toEqual({
    status: 'error',
    response: { reason: 'ChannelRateLimitReached: Too many channels' },
  })
  rude.socket.terminate()
})

test('of a client at most a hundred joins wait to be checked', async () => {
  const holder = new pg.Client({ connectionString: backend.superuserUrl })
  await holder.connect()
  const rude = await aRudeClient()
  try {
    await holder.query('begin')
    await holder.query('lock table realtime.messages in access exclusive mode')
    const config = { private: true }
    for (let count = 1; count <= 101; count++)
      rude.say(`${count}`, `${count}`, `realtime:room ${count}`, 'phx_join', { config })
    expect((await rude.until(isReplyTo('101')))[4]).toEqual({
      status: 'error',
      response: { reason: 'ChannelRateLimitReached: Too many channels' },
    })
    expect(rude.received).toHaveLength(1)
  } finally {
    await holder.end()
  }
  const reason =
    'Unauthorized: You do not have permissions to read from this Channel topic: room 100'
  expect((await rude.until(isReplyTo('100')))[4].response).toEqual({ reason })
  rude.socket.terminate()
})

test('a client that joins too often is disconnected with a reason', async () => {
  const rude = await aRudeClient()
  const disconnected = once(rude.socket, 'close')
  for (let count = 1; count <= 300; count++)
    rude.say(`${count}`, `${count}`, 'realtime:room', 'phx_join', { config: {} })
  await disconnected
  expect(rude.received.map((message) => message[4].response)).toContainEqual({
    reason: 'ClientJoinRateLimitReached: Too many joins per second',
  })
})

test('a client that sends too many messages loses the channel', async () => {
  const noisy = (await client(null)).channel('lobby')
  const system = systemMessage(noisy)
  await join(noisy)
  for (let count = 0; count < 150; count++)
    void noisy.send({ type: 'broadcast', event: 'noise', payload: {} })
  await closed(noisy)
  expect(await system).toMatchObject({ status: 'error', message: 'Too many messages per second' })
})

test('a client that changes its presence too often loses the channel', async () => {
  const noisy = (await client(null)).channel('lobby', { config: { presence: { enabled: true } } })
  const system = systemMessage(noisy)
  await join(noisy)
  for (let count = 0; count < 70; count++) void noisy.track({ count })
  await closed(noisy)
  expect(await system).toMatchObject({ message: 'Client presence rate limit exceeded' })
})

test('a frame far above the limit closes the connection', async () => {
  const rude = await aRudeClient()
  const disconnected = once(rude.socket, 'close')
  rude.socket.send('x'.repeat(2_000_000))
  expect((await disconnected)[0]).toBe(1009)
})

test.each(['no JSON', '{"an":"object"}', '[1,2]'])('%s closes the connection', async (text) => {
  const rude = await aRudeClient()
  const disconnected = once(rude.socket, 'close')
  rude.socket.send(text)
  expect((await disconnected)[0]).toBe(1003)
})

test('messages to topics that were not joined get an error', async () => {
  const rude = await aRudeClient()
  rude.say('1', '1', 'realtime:lobby', 'broadcast', { event: 'hi', payload: {} })
  rude.say('1', '2', 'another:lobby', 'phx_join', {})
  rude.say('1', '3', 'realtime:', 'phx_join', {})
  rude.say('1', '4', 'realtime:lobby', 'phx_join', { config: { broadcast: 'yes' } })
  rude.say('1', '5', `realtime:${'x'.repeat(250)}`, 'phx_join', {})
  const reasons = await Promise.all(
    ['1', '2', '3', '4', '5'].map(async (ref) => (await rude.until(isReplyTo(ref)))[4]),
  )
  expect(reasons.map(({ response }) => (response as { reason: string }).reason)).toEqual([
    'unmatched topic',
    'unmatched topic',
    'TopicNameRequired: You must provide a topic name',
    'InvalidJoinPayload: The configuration of the channel is not valid',
    'TopicNameTooLong: A topic name has at most 255 bytes, prefix included',
  ])
  rude.socket.terminate()
})

test('joining a topic again closes the first join, whose messages are then stale', async () => {
  const rude = await aRudeClient()
  rude.say('1', '1', 'realtime:lobby', 'phx_join', { config: {} })
  rude.say('2', '2', 'realtime:lobby', 'phx_join', { config: {} })
  rude.say('1', '3', 'realtime:lobby', 'broadcast', { event: 'hi', payload: {} })
  expect((await rude.until(isReplyTo('3')))[4]).toMatchObject({ status: 'error' })
  expect(rude.received.map(([joinRef, , , event]) => [joinRef, event])).toEqual([
    ['1', 'phx_reply'],
    ['1', 'phx_close'],
    ['2', 'phx_reply'],
    ['1', 'phx_reply'],
  ])
  rude.socket.terminate()
})

test('a client that stops reading is disconnected, and the others receive everything', async () => {
  const stuck = await aRudeClient()
  stuck.say('1', '1', 'realtime:lobby', 'phx_join', { config: {} })
  await stuck.until(isReplyTo('1'))
  const disconnected = once(stuck.socket, 'close')
  stuck.socket.pause()
  const receiver = (await client(null)).channel('lobby')
  const { until } = listen(receiver)
  await join(receiver)
  const send = async (n: number) => {
    const text = 'x'.repeat(200_000)
    const messages = [{ topic: 'lobby', event: 'large', payload: { n, text } }]
    await fetch(`${backend.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { apikey: backend.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ messages }),
    })
  }
  for (let n = 0; n < 100; n++) await send(n)
  const received = await until(100)
  expect(received.map(({ payload }) => (payload as { n: number }).n)).toEqual([
    ...Array.from({ length: 100 }).keys(),
  ])
  stuck.socket.resume()
  await disconnected
  await wait(0)
})
