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
  test('a member of a room hears what the database sends to it', async () => {
    const maya = await aMember(backend)
    const room = await aRoom(owner, maya)
    const channel = (await client(maya, vsn)).channel(room, isPrivate)
    const { until } = listen(channel)
    await join(channel)
    await owner.query('select realtime.send($1, $2, $3)', [{ text: 'Héllo 👋' }, 'greeting', room])
    const [heard] = await until(1)
    expect(heard).toMatchObject({ event: 'greeting', payload: { text: 'Héllo 👋' } })
    expect((heard?.payload as { id: string }).id).toBe(heard?.meta?.id)
  })

  test('a payload that is too long for a notification arrives whole and in order', async () => {
    const maya = await aMember(backend)
    const room = await aRoom(owner, maya)
    const channel = (await client(maya, vsn)).channel(room, isPrivate)
    const { until } = listen(channel)
    await join(channel)
    const long = 'é'.repeat(60_000)
    await owner.query('select realtime.send($1, $2, $3)', [{ n: 1, long }, 'news', room])
    await owner.query('select realtime.send($1, $2, $3)', [{ n: 2 }, 'news', room])
    const heard = await until(2)
    expect(heard.map(({ payload }) => (payload as { n: number }).n)).toEqual([1, 2])
    expect((heard[0]?.payload as { long: string }).long).toBe(long)
  })

  test('one message to many topics is heard once on each, and on no other', async () => {
    const maya = await aMember(backend)
    const rooms = [await aRoom(owner, maya), await aRoom(owner, maya), await aRoom(owner, maya)]
    const member = await client(maya, vsn)
    const hearers = await Promise.all(
      rooms.map(async (room) => {
        const channel = member.channel(room, isPrivate)
        const hearer = listen(channel)
        await join(channel)
        return hearer
      }),
    )
    const strangers = Array.from({ length: 250 }, (_, n) => `room:${n}`)
    const topics = [rooms[0], ...strangers, rooms[1]]
    await owner.query('select realtime.send_to_topics($1, $2, $3)', [{ n: 1 }, 'news', topics])
    for (const room of rooms) await owner.query(`select realtime.send('{}', 'end', $1)`, [room])
    const heard = await Promise.all(hearers.map(({ until }, n) => until(n === 2 ? 1 : 2)))
    expect(heard.map((all) => all.map(({ event }) => event))).toEqual([
      ['news', 'end'],
      ['news', 'end'],
      ['end'],
    ])
  })

  test('a client broadcast reaches the others and not its sender', async () => {
    const [maya, theo] = [await aMember(backend), await aMember(backend)]
    const room = await aRoom(owner, maya, theo)
    const mayas = (await client(maya, vsn)).channel(room, isPrivate)
    const theos = (await client(theo, vsn)).channel(room, isPrivate)
    const [atMaya, atTheo] = [listen(mayas), listen(theos)]
    await Promise.all([join(mayas), join(theos)])
    await mayas.send({ type: 'broadcast', event: 'typing', payload: { who: 'Maya' } })
    expect(await atTheo.until(1)).toMatchObject([{ event: 'typing', payload: { who: 'Maya' } }])
    expect(atMaya.heard).toEqual([])
  })
})

test('somebody who is no member of the room cannot join it', async () => {
  const [maya, stranger] = [await aMember(backend), await aMember(backend)]
  const room = await aRoom(owner, maya)
  await expect(join((await client(stranger)).channel(room, isPrivate))).rejects.toThrow(
    `Unauthorized: You do not have permissions to read from this Channel topic: ${room}`,
  )
})

test('a heartbeat is answered', async () => {
  const maya = await client(await aMember(backend))
  const status = new Promise((resolve) =>
    maya.onHeartbeat((each) => each !== 'sent' && resolve(each)),
  )
  await join(maya.channel('anything'))
  await maya.sendHeartbeat()
  expect(await status).toBe('ok')
})
