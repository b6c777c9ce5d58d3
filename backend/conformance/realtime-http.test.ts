import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { LIMITS as HTTP_LIMITS } from '#http/limits.ts'
import { LIMITS } from '#realtime/limits.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aDevice, aMember as anAccount, sessionOf } from './auth-people.ts'
import {
  aMember,
  aRoom,
  connectOwner,
  join,
  listen,
  ROOMS_SQL,
  clientsFor,
  type Member,
} from './realtime-clients.ts'

let backend: TestBackend
let owner: pg.Client
const client = clientsFor(() => backend)
const isPrivate = { config: { private: true } }

beforeAll(async () => {
  backend = await startTestBackend({ sql: ROOMS_SQL })
  owner = await connectOwner(backend)
})
afterAll(async () => {
  await owner?.end()
  await backend?.close()
})

function post(path: string, body: unknown, key: string, member?: Member) {
  return fetch(`${backend.url}/realtime/v1/api/broadcast${path}`, {
    method: 'POST',
    headers: {
      apikey: key,
      'content-type': 'application/json',
      ...(member ? { authorization: `Bearer ${member.token}` } : {}),
    },
    body: JSON.stringify(body),
  })
}

async function aRoomWithReceiver() {
  const maya = await aMember(backend)
  const room = await aRoom(owner, maya)
  const channel = (await client(maya)).channel(room, isPrivate)
  const { received, until } = listen(channel)
  await join(channel)
  return { maya, room, received, until }
}

test('a member’s httpSend reaches the room, including binary payloads', async () => {
  const { maya, room, until } = await aRoomWithReceiver()
  const sender = (await client(maya)).channel(room, isPrivate)
  await expect(sender.httpSend('note', { n: 1 })).resolves.toEqual({ success: true })
  await sender.httpSend('bytes', new Uint8Array([1, 255]).buffer)
  const [note, bytes] = await until(2)
  expect(note).toMatchObject({ event: 'note', payload: { n: 1 } })
  expect([...new Uint8Array(bytes?.payload as ArrayBuffer)]).toEqual([1, 255])
})

test('httpSend without the right to send is rejected', async () => {
  const { room } = await aRoomWithReceiver()
  const stranger = (await client(await aMember(backend))).channel(room, isPrivate)
  await expect(stranger.httpSend('note', {})).rejects.toThrow('Unauthorized')
})

test('a batch reaches only the topics its sender may send to', async () => {
  const [mine, other] = [await aRoomWithReceiver(), await aRoomWithReceiver()]
  const messages = [other.room, mine.room].map((topic) => ({
    topic,
    event: 'note',
    payload: {},
    private: true,
  }))
  const response = await post('', { messages }, backend.publishableKey, mine.maya)
  expect(response.status).toBe(202)
  await mine.until(1)
  expect(other.received).toEqual([])
  const trusted = await post('', { messages }, backend.secretKey)
  expect(trusted.status).toBe(202)
  await other.until(1)
})

/** The tokens of one member's devices. */
async function aMembersDevices(count: number): Promise<[Member, ...Member[]]> {
  const { id, email, client: phone } = await anAccount(backend)
  const others = Array.from({ length: count - 1 }, () => aDevice(backend, email))
  const sessions = await Promise.all([phone, ...(await Promise.all(others))].map(sessionOf))
  return sessions.map(({ access_token: token }) => ({ id, token })) as [Member, ...Member[]]
}

const inPrivate = (topic: string, payload: object) => ({
  topic,
  event: 'note',
  payload,
  private: true,
})

test('what the sessions of an account send in larger batches counts together', async () => {
  const devices = await aMembersDevices(3)
  const room = await aRoom(owner, devices[0])
  const large = inPrivate('elsewhere', { text: 'x'.repeat(LIMITS.payloadBytes - 100) })
  const messages = [inPrivate(room, {}), large, large, large]
  const bytes = JSON.stringify({ messages }).length
  const sends = Math.ceil(HTTP_LIMITS.accountSentBytesPerMinute / bytes)
  const statuses: number[] = []
  // The first of each session is not counted for the account: nothing has said yet that its token is good.
  for (let n = 0; n < sends + devices.length; n++) {
    const device = devices[n % devices.length]
    statuses.push((await post('', { messages }, backend.publishableKey, device)).status)
  }
  expect(new Set(statuses.slice(0, -1))).toEqual(new Set([202]))
  expect(statuses.at(-1)).toBe(429)
})

test('messages that are skipped count for a few sessions of their account together, before any is looked at', async () => {
  const devices = await aMembersDevices(6)
  const send = async (device: Member, message: object) => {
    const messages = Array.from({ length: LIMITS.httpMessagesPerBatch }, () => message)
    return (await post('', { messages }, backend.publishableKey, device)).status
  }
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 20_000)
  const most = LIMITS.httpMessagesPer10Seconds / LIMITS.httpMessagesPerBatch
  const statuses: number[] = []
  for (const device of devices)
    for (let n = 0; n < most; n++) statuses.push(await send(device, inPrivate('elsewhere', {})))
  expect(new Set(statuses.slice(0, 4 * most))).toEqual(new Set([202]))
  expect(new Set(statuses.slice(4 * most))).toEqual(new Set([429]))
  for (const device of devices) expect(await send(device, { topic: 1 })).toBe(429)
  expect(await send(await aMember(backend), inPrivate('elsewhere', {}))).toBe(202)
  clock.mockRestore()
})

test('send() before joining falls back to HTTP', async () => {
  const { maya, room, until } = await aRoomWithReceiver()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const sender = (await client(maya)).channel(room, isPrivate)
  expect(await sender.send({ type: 'broadcast', event: 'note', payload: {} })).toBe('ok')
  await until(1)
})

test.each([
  ['no messages', {}],
  ['a message without a topic', { messages: [{ event: 'note', payload: {} }] }],
  ['a payload that is no object', { messages: [{ topic: 't', event: 'note', payload: 1 }] }],
  [
    'a payload that is too large',
    { messages: [{ topic: 't', event: 'note', payload: { text: 'x'.repeat(300_000) } }] },
  ],
])('a batch with %s is rejected', async (_what, body) => {
  const response = await post('', body, backend.publishableKey, await aMember(backend))
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({ code: 'UnprocessableEntity' })
})

test('a message whose topic or event has too long a name is rejected', async () => {
  for (const path of [`/t/events/${'x'.repeat(256)}`, `/${'x'.repeat(256)}/events/e`]) {
    const response = await post(path, {}, backend.secretKey)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ code: 'UnprocessableEntity' })
  }
})

test('a policy that fails denies its own topic only', async () => {
  const { maya, room, until } = await aRoomWithReceiver()
  await owner.query(`
    create policy "fails" on realtime.messages for insert to authenticated
      with check (1 / (length(realtime.topic()) - length('broken')) > 1)`)
  const messages = ['broken', room].map((topic) => ({
    topic,
    event: 'note',
    payload: {},
    private: true,
  }))
  expect((await post('', { messages }, backend.publishableKey, maya)).status).toBe(202)
  await until(1)
  const one = await post('/broken/events/note?private=true', {}, backend.publishableKey, maya)
  expect(one.status).toBe(403)
  await owner.query('drop policy "fails" on realtime.messages')
})

test('storing a broadcast over HTTP is rejected with a reason', async () => {
  const { maya, room } = await aRoomWithReceiver()
  const sender = (await client(maya)).channel(room, isPrivate)
  await expect(sender.httpSend('note', {}, { persist: true })).rejects.toThrow(
    'Storing a broadcast is not supported here',
  )
})

test('other paths below /realtime/v1 are not found', async () => {
  expect((await post('/nothing/here', {}, backend.publishableKey)).status).toBe(404)
  expect((await post('/%E0%A4%A/events/e', {}, backend.publishableKey)).status).toBe(400)
})
