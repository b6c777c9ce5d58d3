import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import {
  aMember,
  aRoom,
  closed,
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
const isPrivate = { config: { private: true } }
const ONE_HOUR_MS = 3_600_000

beforeAll(async () => {
  backend = await startTestBackend({ sql: ROOMS_SQL })
  owner = await connectOwner(backend)
})
afterAll(async () => {
  await owner?.end()
  await backend?.close()
})

test('a member without the right to send reaches nobody', async () => {
  const [maya, theo] = [await aMember(backend), await aMember(backend)]
  const room = await aRoom(owner, maya, theo)
  await owner.query('update public.room_members set can_send = false where user_id = $1', [maya.id])
  const mayas = (await client(maya)).channel(room, isPrivate)
  const theos = (await client(theo)).channel(room, isPrivate)
  const { received, until } = listen(theos)
  await Promise.all([join(mayas), join(theos)])
  await mayas.send({ type: 'broadcast', event: 'muted', payload: {} })
  await wait(150)
  await owner.query('select realtime.send($1, $2, $3)', [{}, 'after', room])
  await until(1)
  expect(received.map(({ event }) => event)).toEqual(['after'])
})

test('private and public channels of the same name are separate topics', async () => {
  const maya = await aMember(backend)
  const room = await aRoom(owner, maya)
  const open = (await client(null)).channel(room)
  const { received, until } = listen(open)
  await join(open)
  await owner.query('select realtime.send($1, $2, $3)', [{ secret: 1 }, 'private', room])
  await owner.query('select realtime.send($1, $2, $3, false)', [{}, 'public', room])
  await until(1)
  expect(received.map(({ event }) => event)).toEqual(['public'])
})

test('a signed-out client cannot join a private channel', async () => {
  const room = await aRoom(owner, await aMember(backend))
  await expect(join((await client(null)).channel(room, isPrivate))).rejects.toThrow('Unauthorized')
})

test('a channel is closed when its access token expires', async () => {
  const maya = await aMember(backend)
  const channel = (await client(maya)).channel(await aRoom(owner, maya), isPrivate)
  const system = systemMessage(channel)
  await join(channel)
  backend.clock.advance(ONE_HOUR_MS)
  await closed(channel)
  expect(await system).toMatchObject({
    extension: 'system',
    status: 'error',
    message: 'Token has expired',
  })
})

test('a channel stays open with a refreshed access token', async () => {
  const maya = await aMember(backend)
  const room = await aRoom(owner, maya)
  const connected = await client(maya)
  const channel = connected.channel(room, isPrivate)
  const { until } = listen(channel)
  await join(channel)
  backend.clock.advance(ONE_HOUR_MS / 2)
  maya.token = (await aMember(backend, { id: maya.id })).token
  await connected.setAuth()
  await wait(150)
  backend.clock.advance(ONE_HOUR_MS / 2)
  await wait(1200)
  await owner.query('select realtime.send($1, $2, $3)', [{}, 'still here', room])
  expect((await until(1)).map(({ event }) => event)).toEqual(['still here'])
})

test('a refreshed access token without the right to read closes the channel', async () => {
  const maya = await aMember(backend)
  const connected = await client(maya)
  const channel = connected.channel(await aRoom(owner, maya), isPrivate)
  const system = systemMessage(channel)
  await join(channel)
  maya.token = (await aMember(backend)).token
  await connected.setAuth()
  await closed(channel)
  expect((await system).message).toContain('You no longer have permission to read')
})

test.each([
  ['the topic', 'select realtime.recheck($1)', (room: string) => [room]],
  ['the member', 'select realtime.recheck($2)', (_room: string, id: string) => [null, id]],
  ['both', 'select realtime.recheck($1, $2::uuid)', (room: string, id: string) => [room, id]],
])(
  'a removed member stops receiving from the room once the database rechecks %s',
  async (_which, sql, values) => {
    const [maya, theo] = [await aMember(backend), await aMember(backend)]
    const room = await aRoom(owner, maya, theo)
    const mayas = (await client(maya)).channel(room, isPrivate)
    const theos = (await client(theo)).channel(room, isPrivate)
    const [atMaya, atTheo] = [listen(mayas), listen(theos)]
    await Promise.all([join(mayas), join(theos)])
    const gone = closed(mayas)
    await owner.query('delete from public.room_members where user_id = $1', [maya.id])
    const given = values(room, maya.id)
    const text = sql.includes('$1') ? sql : sql.replace('$2', '$1')
    await owner.query(
      text,
      given.filter((value) => value !== null),
    )
    await gone
    await owner.query('select realtime.send($1, $2, $3)', [{}, 'after', room])
    await atTheo.until(1)
    expect(atMaya.received).toEqual([])
  },
)

test('members cannot trigger a recheck or check the rights of others', async () => {
  const functions = [
    `realtime.recheck('topic')`,
    `realtime.try_rights('read', 'topic', 'service_role', '{}', '{broadcast}')`,
    `realtime.delete_old_messages('1 second', 1)`,
  ]
  for (const role of ['anon', 'authenticated'])
    for (const call of functions) {
      const attempt = backend.database.runAs(
        { role, claimsText: JSON.stringify({ role }) },
        { text: `select ${call}` },
      )
      await expect(attempt).rejects.toThrow('permission denied')
    }
})

test('authorization leaves nothing behind', async () => {
  const maya = await aMember(backend)
  await join((await client(maya)).channel(await aRoom(owner, maya), isPrivate))
  const { rows } = await owner.query(
    'select count(*)::int as count from realtime.messages where event is null',
  )
  expect(rows).toEqual([{ count: 0 }])
})

test('a policy that fails denies the join', async () => {
  await owner.query(`create policy "broken" on realtime.messages for select to anon
    using (1 / (length(realtime.topic()) - 6) > 0)`)
  const channel = (await client(null)).channel('broken', isPrivate)
  await expect(join(channel)).rejects.toThrow('Unauthorized')
  await owner.query('drop policy "broken" on realtime.messages')
})

test('of topics joined at once each is decided for itself', async () => {
  await owner.query(`create policy "broken" on realtime.messages for select to authenticated
    using (realtime.topic() = 'broken' and 1 / (length(realtime.topic()) - 6) > 0)`)
  const [maya, theo] = [await aMember(backend), await aMember(backend)]
  const mayas = await Promise.all(Array.from({ length: 12 }, () => aRoom(owner, maya)))
  const topics = ['broken', await aRoom(owner, theo), ...mayas]
  const connected = await client(maya)
  const joins = await Promise.allSettled(
    topics.map((topic) => join(connected.channel(topic, isPrivate))),
  )
  expect(joins.map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    ...mayas.map(() => 'fulfilled'),
  ])
  await owner.query('drop policy "broken" on realtime.messages')
})
