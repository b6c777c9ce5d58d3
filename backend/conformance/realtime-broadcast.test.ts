import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import {
  aMember,
  aRoom,
  connectOwner,
  join,
  listen,
  ROOMS_SQL,
  clientsFor,
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

describe.each(['1.0.0', '2.0.0'] as const)('serializer %s', (vsn) => {
  test('a room’s member receives broadcasts from the database', async () => {
    const maya = await aMember(backend)
    const room = await aRoom(owner, maya)
    const channel = (await client(maya, vsn)).channel(room, isPrivate)
    const { until } = listen(channel)
    await join(channel)
    await owner.query('select realtime.send($1, $2, $3)', [{ text: 'Héllo 👋' }, 'greeting', room])
    const [received] = await until(1)
    expect(received).toMatchObject({ event: 'greeting', payload: { text: 'Héllo 👋' } })
    expect((received!.payload as { id: string }).id).toBe(received!.meta?.id)
  })

  test('a payload too long for a notification arrives complete and in order', async () => {
    const maya = await aMember(backend)
    const room = await aRoom(owner, maya)
    const channel = (await client(maya, vsn)).channel(room, isPrivate)
    const { until } = listen(channel)
    await join(channel)
    const long = 'é'.repeat(60_000)
    await owner.query('select realtime.send($1, $2, $3)', [{ n: 1, long }, 'news', room])
    await owner.query('select realtime.send($1, $2, $3)', [{ n: 2 }, 'news', room])
    const received = await until(2)
    expect(received.map(({ payload }) => (payload as { n: number }).n)).toEqual([1, 2])
    expect((received[0]!.payload as { long: string }).long).toBe(long)
  })

  test('a message to many topics is received once on each, and on no other', async () => {
    const maya = await aMember(backend)
    const rooms = [await aRoom(owner, maya), await aRoom(owner, maya), await aRoom(owner, maya)]
    const member = await client(maya, vsn)
    const receivers = await Promise.all(
      rooms.map(async (room) => {
        const channel = member.channel(room, isPrivate)
        const receiver = listen(channel)
        await join(channel)
        return receiver
      }),
    )
    const strangers = Array.from({ length: 250 }, (_, n) => `room:${n}`)
    const topics = [rooms[0], ...strangers, rooms[1]]
    await owner.query('select realtime.send_to_topics($1, $2, $3)', [{ n: 1 }, 'news', topics])
    for (const room of rooms) await owner.query(`select realtime.send('{}', 'end', $1)`, [room])
    const received = await Promise.all(receivers.map(({ until }, n) => until(n === 2 ? 1 : 2)))
    expect(received.map((all) => all.map(({ event }) => event))).toEqual([
      ['news', 'end'],
      ['news', 'end'],
      ['end'],
    ])
  })

  test('a client’s broadcast reaches the others but not its sender', async () => {
    const [maya, theo] = [await aMember(backend), await aMember(backend)]
    const room = await aRoom(owner, maya, theo)
    const mayas = (await client(maya, vsn)).channel(room, isPrivate)
    const theos = (await client(theo, vsn)).channel(room, isPrivate)
    const [atMaya, atTheo] = [listen(mayas), listen(theos)]
    await Promise.all([join(mayas), join(theos)])
    await mayas.send({ type: 'broadcast', event: 'typing', payload: { who: 'Maya' } })
    expect(await atTheo.until(1)).toMatchObject([{ event: 'typing', payload: { who: 'Maya' } }])
    expect(atMaya.received).toEqual([])
  })
})

test('a user who is not a member of the room cannot join it', async () => {
  const [maya, stranger] = [await aMember(backend), await aMember(backend)]
  const room = await aRoom(owner, maya)
  await expect(join((await client(stranger)).channel(room, isPrivate))).rejects.toThrow(
    `Unauthorized: You do not have permissions to read from this Channel topic: ${room}`,
  )
})

test('a heartbeat gets a reply', async () => {
  const maya = await client(await aMember(backend))
  const status = new Promise((resolve) =>
    maya.onHeartbeat((each) => each !== 'sent' && resolve(each)),
  )
  await join(maya.channel('anything'))
  await maya.sendHeartbeat()
  expect(await status).toBe('ok')
})
