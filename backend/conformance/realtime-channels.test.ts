import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import {
  aMember,
  aRoom,
  connectOwner,
  join,
  listen,
  ROOMS_SQL,
  systemMessage,
  clientsFor,
} from './realtime-clients.ts'

let backend: TestBackend
let owner: pg.Client
const client = clientsFor(() => backend)

beforeAll(async () => {
  backend = await startTestBackend({ sql: ROOMS_SQL })
  owner = await connectOwner(backend)
})
afterAll(async () => {
  await owner?.end()
  await backend?.close()
})

test('with `ack` a broadcast is acknowledged, with `self` its sender receives it too', async () => {
  const channel = (await client(null)).channel('lobby', {
    config: { broadcast: { ack: true, self: true } },
  })
  const { until } = listen(channel)
  await join(channel)
  expect(await channel.send({ type: 'broadcast', event: 'hi', payload: { n: 1 } })).toBe('ok')
  expect(await until(1)).toMatchObject([{ event: 'hi', payload: { n: 1 } }])
})

test('a broadcast that is too large is rejected', async () => {
  const channel = (await client(null)).channel('lobby', { config: { broadcast: { ack: true } } })
  await join(channel)
  const payload = { text: 'x'.repeat(300_000) }
  expect(await channel.send({ type: 'broadcast', event: 'hi', payload })).toBe('error')
})

test('binary payloads arrive unchanged', async () => {
  const [one, other] = [await client(null), await client(null)]
  const [from, to] = [one.channel('canvas'), other.channel('canvas')]
  const { until } = listen(to)
  await Promise.all([join(from), join(to)])
  const payload = new Uint8Array([0, 1, 254, 255]).buffer
  await from.send({ type: 'broadcast', event: 'draw', payload })
  const [received] = await until(1)
  expect([...new Uint8Array(received?.payload as ArrayBuffer)]).toEqual([0, 1, 254, 255])
})

test('binary payloads from the database arrive unchanged', async () => {
  const maya = await aMember(backend)
  const room = await aRoom(owner, maya)
  const channel = (await client(maya)).channel(room, { config: { private: true } })
  const { until } = listen(channel)
  await join(channel)
  await owner.query('select realtime.send_binary($1, $2, $3)', [
    Buffer.from([0, 255]),
    'draw',
    room,
  ])
  const [received] = await until(1)
  expect([...new Uint8Array(received?.payload as ArrayBuffer)]).toEqual([0, 255])
})

test('postgres_changes is rejected with a reason that names the alternative', async () => {
  const channel = (await client(null)).channel('changes')
  channel.on('postgres_changes', { event: '*', schema: 'public', table: 'room_members' }, () => {})
  await expect(join(channel)).rejects.toThrow(
    'RealtimeDisabledForConfiguration: postgres_changes is not supported here',
  )
})

test('a join with replay receives earlier messages once, marked as replayed', async () => {
  const maya = await aMember(backend)
  const room = await aRoom(owner, maya)
  for (const n of [1, 2, 3])
    await owner.query('select realtime.send($1, $2, $3)', [{ n }, 'said', room])
  const channel = (await client(maya)).channel(room, {
    config: { private: true, broadcast: { replay: { since: Date.now() - 60_000, limit: 2 } } },
  })
  const { until } = listen(channel)
  await join(channel)
  await owner.query('select realtime.send($1, $2, $3)', [{ n: 4 }, 'said', room])
  const received = await until(3)
  expect(received.map(({ payload }) => (payload as { n: number }).n)).toEqual([2, 3, 4])
  expect(received.map(({ meta }) => meta?.replayed ?? false)).toEqual([true, true, false])
})

test('row changes are broadcast in hosted Supabase’s format', async () => {
  const maya = await aMember(backend)
  const room = await aRoom(owner, maya)
  const channel = (await client(maya)).channel(room, { config: { private: true } })
  const { until } = listen(channel)
  await join(channel)
  await owner.query(`
    create function public.tell_room() returns trigger language plpgsql security definer as $$
    begin
      perform realtime.broadcast_changes(
        'room:' || new.room_id, tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
      return null;
    end $$;
    create trigger tell_room after update on public.room_members
      for each row execute function public.tell_room();`)
  await owner.query('update public.room_members set can_send = false where user_id = $1', [maya.id])
  expect((await until(1))[0]).toMatchObject({
    event: 'UPDATE',
    payload: {
      schema: 'public',
      table: 'room_members',
      operation: 'UPDATE',
      record: { user_id: maya.id, can_send: false },
      old_record: { user_id: maya.id, can_send: true },
    },
  })
})

test('a message of a rolled-back transaction is not delivered', async () => {
  const maya = await aMember(backend)
  const room = await aRoom(owner, maya)
  const channel = (await client(maya)).channel(room, { config: { private: true } })
  const { received, until } = listen(channel)
  await join(channel)
  await owner.query('begin')
  await owner.query('select realtime.send($1, $2, $3)', [{}, 'undone', room])
  await owner.query('rollback')
  await owner.query('select realtime.send($1, $2, $3)', [{}, 'done', room])
  await until(1)
  expect(received.map(({ event }) => event)).toEqual(['done'])
})

test('leaving a channel stops its messages, and it can be joined again', async () => {
  const [one, other] = [await client(null), await client(null)]
  const from = one.channel('lobby')
  const to = other.channel('lobby')
  const { received } = listen(to)
  await Promise.all([join(from), join(to)])
  expect(await to.unsubscribe()).toBe('ok')
  await from.send({ type: 'broadcast', event: 'hi', payload: {} })
  await wait(100)
  expect(received).toEqual([])
  const again = other.channel('lobby')
  const { until } = listen(again)
  await join(again)
  await from.send({ type: 'broadcast', event: 'hi again', payload: {} })
  expect((await until(1)).map(({ event }) => event)).toEqual(['hi again'])
})

test('a client that requests it is notified once database broadcasts are connected', async () => {
  const channel = (await client(null)).channel('lobby', {
    config: { broadcast: { replication_ready: true } },
  })
  const system = systemMessage(channel)
  await join(channel)
  expect(await system).toMatchObject({
    status: 'ok',
    message: 'Replication connection established',
  })
})

test.each([
  ['no key', '/realtime/v1/websocket?vsn=2.0.0', 401],
  ['a wrong key', '/realtime/v1/websocket?vsn=2.0.0&apikey=sb_publishable_wrong', 401],
  ['an unknown serializer', '/realtime/v1/websocket?vsn=9.0.0&apikey=KEY', 400],
  ['another address', '/rest/v1/websocket?vsn=2.0.0&apikey=KEY', 404],
])('a socket with %s is rejected', async (_what, path, status) => {
  const address = `${backend.url.replace('http', 'ws')}${path}`
  const socket = new WebSocket(address.replace('KEY', backend.publishableKey))
  const received = await new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode)
      response.destroy()
    })
    socket.on('error', reject)
  })
  expect(received).toBe(status)
})

test('an invalid access token is rejected with its reason', async () => {
  const stale = await aMember(backend, { expiresInS: -10 })
  await expect(join((await client(stale)).channel('lobby'))).rejects.toThrow('Token has expired')
  const forged = { id: stale.id, token: `${stale.token.slice(0, -8)}AAAAAAAA` }
  await expect(join((await client(forged)).channel('lobby'))).rejects.toThrow('JwtSignatureError')
  const garbled = { id: stale.id, token: 'not.a-token' }
  await expect(join((await client(garbled)).channel('lobby'))).rejects.toThrow(
    'MalformedJWT: The token provided is not a valid JWT',
  )
  const exp = Math.floor(backend.clock.now() / 1000) + 60
  const roleless = { id: stale.id, token: await backend.tokens.sign({ sub: stale.id, exp }) }
  await expect(join((await client(roleless)).channel('lobby'))).rejects.toThrow(
    'InvalidJWTToken: Fields `role` and `exp` are required in JWT',
  )
})
